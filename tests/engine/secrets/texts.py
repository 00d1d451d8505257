"""Texts for the detection of secrets: honest ones with long ids, and sentences with secrets that are made up here.

A secret is drawn from a seed and never lies in a file. A third of both sets is unseen: rules are not made from it."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Case:
    """Text; secret: the part that must not be seen, "" in an honest text. unseen: kept for the last measurement."""

    text: str
    secret: str
    unseen: bool


class Draw(random.Random):
    """Source of made-up values."""

    def some(self, alphabet: str, n: int) -> str:
        return "".join(self.choice(alphabet) for _ in range(n))

    def mixed(self, n: int, more: str = "") -> str:
        """Return letters of both cases and digits, at least one of each."""
        return "a7K" + self.some(LETTERS + more, n - 3)

    def luhn(self, prefix: str, n: int) -> str:
        body = prefix + self.some(string.digits, n - len(prefix) - 1)
        total = sum(
            digit if place % 2 else digit * 2 - 9 * (digit > 4)
            for place, digit in enumerate(map(int, reversed(body)))
        )
        return body + str(-total % 10)


HONEST_VALUES: dict[str, Callable[[Draw], str]] = {
    "uuid": lambda draw: str(uuid.UUID(int=draw.getrandbits(128), version=4)),
    "sha1": lambda draw: draw.some(HEX, 40),
    "sha256": lambda draw: draw.some(HEX, 64),
    "short": lambda draw: draw.some(HEX, 8),
    "ulid": lambda draw: "01J" + draw.some("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 23),
    "isbn": lambda draw: (
        "978-3-"
        + draw.some(string.digits, 2)
        + "-"
        + draw.some(string.digits, 6)
        + "-"
        + draw.some(string.digits, 1)
    ),
    "order": lambda draw: draw.some(string.digits, 16),
    "long": lambda draw: draw.some(string.digits, 19),
    "iban": lambda draw: "DE" + draw.some(string.digits, 20),
    "phone": lambda draw: "+49 30 " + draw.some(string.digits, 7),
    "b64": lambda draw: base64.b64encode(draw.randbytes(90)).decode(),
    "digest": lambda draw: base64.b64encode(hashlib.sha256(draw.randbytes(9)).digest()).decode(),
    "sshpub": lambda draw: "AAAAC3NzaC1lZDI1NTE5AAAAI" + draw.some(LETTERS + "+/", 43),
    "version": lambda draw: f"{draw.randrange(9)}.{draw.randrange(30)}.{draw.randrange(30)}",
    "n": lambda draw: str(draw.randrange(8, 64)),
    "year": lambda draw: str(draw.randrange(1990, 2027)),
    "tracking": lambda draw: "1Z" + draw.some(string.ascii_uppercase + string.digits, 16),
    "vin": lambda draw: "WVWZZZ1JZ" + draw.some(string.ascii_uppercase + string.digits, 8),
    "mac": lambda draw: ":".join(draw.some(HEX, 2) for _ in range(6)),
    "ip6": lambda draw: ":".join(draw.some(HEX, 4) for _ in range(8)),
    "video": lambda draw: draw.some(LETTERS + "_-", 11),
    "slug": lambda draw: draw.choice(("winter-sale", "quarterly-report", "tidal-gate", "sour-dough")),
}

HONEST = """\
The password policy is at least {n} characters with a digit and a symbol.
Passwords expire after {n} days on the intranet.
password: ********
Password: <your password>
password = os.environ["DB_PASSWORD"]
Her password manager is Bitwarden, version {version}.
The password is stored in the safe of the notary.
The password is case-sensitive.
He forgot his password again and reset it on Monday.
The password field accepts {n} characters.
Never send a password by email.
API_KEY=<your key>
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
Set ANTHROPIC_API_KEY=sk-ant-your-key-here before you start.
api_key: ${{API_KEY}}
token: {{{{ secrets.GITHUB_TOKEN }}}}
The access key in the docs is AKIAIOSFODNN7EXAMPLE.
A key of AWS begins with AKIA and has 20 characters.
Tokens of GitHub begin with ghp_ since 2021.
Slack tokens look like xoxb-… and expire.
DATABASE_URL=postgresql://user:password@localhost:5432/app
DATABASE_URL=postgres://$USER:$PASSWORD@db/app
Connect with mysql://USER:PASS@HOST:3306/NAME.
The site is at https://example.org:8443/a/b@c.
git clone git@github.com:drift/atlas.git
ssh://git@host.example:2222/repo.git is the remote.
The commit {sha1} broke the build.
Fixed in {short}, released as {version}.
Revert {sha1} and cherry-pick {short}.
sha256:{sha256} is the digest of the image.
The checksum of the archive is {sha256}.
integrity="sha256-{digest}"
The request id was {uuid}.
Session {uuid} ended at noon.
Trace {ulid} shows the slow query.
Fact {ulid} supersedes {ulid}.
The ISBN is {isbn}.
ISBN {isbn}, second edition, {year}.
Order number {order} arrived on Friday.
Invoice {order} is paid.
Ticket {order} was closed by Femke.
The tracking number is {tracking}.
Parcel {tracking} is at the depot.
Booking reference {long}.
Customer number {order}, contract {long}.
Her IBAN is {iban}.
Please transfer the rent to {iban}.
The phone of the clinic is {phone}.
Call Jun at {phone} after six.
The VIN of the van is {vin}.
The MAC address of the printer is {mac}.
The router answers at {ip6}.
ssh-ed25519 {sshpub} mara@harbour
Her public key is ssh-ed25519 {sshpub}.
authorized_keys has ssh-ed25519 {sshpub} deploy@ci
-----BEGIN PUBLIC KEY-----\\n{b64}\\n-----END PUBLIC KEY-----
-----BEGIN CERTIFICATE-----\\n{b64}\\n-----END CERTIFICATE-----
![logo](data:image/png;base64,{b64})
data:font/woff2;base64,{b64}
The video is https://youtu.be/{video}.
https://docs.example.com/d/{video}{video}{video}/edit is the plan.
The page https://example.org/?id={uuid}&ref={short} is down.
https://example.org/reset?step=2 asks for the new password.
The token limit of the model is {n}000.
Token count: {n}412, of which {n} are cached.
The tokenizer is cl100k_base.
A token is about four characters.
max_tokens: {n}00
The secret of a good loaf is time.
Secret Santa is on December {n}.
The secret ingredient is nutmeg.
The key is under the mat.
The key to the shed hangs by the door.
The primary key is user_id.
The cache key is user:{n}:profile:v2.
key: {slug}-{year}
The key signature is E flat minor.
Sort key: created_at_{n}
The license of the project is Apache-2.0.
Bearer of bad news: the pump is broken.
The bearer token scheme is described in RFC 6750.
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Cards are accepted from 10 euros on.
The test card of Stripe is 4242 4242 4242 4242.
Her library card has the number {long}.
The card of the month is the Tower.
The PIN must have 4 to 6 digits.
The pin code of the village is needed for the parcel.
Pin 7 of the connector is ground.
Pinned {n} facts in {year}.
The meter read {order} on Monday.
Sensor {long} reports 21 degrees.
Das Passwort muss mindestens {n} Zeichen lang sein.
Das Passwort ist abgelaufen.
Das Passwort steht im Tresor.
Bestellnummer {order}, Kundennummer {long}.
Der Schlüssel liegt unter der Matte.
Die Prüfsumme ist {sha256}.
La contraseña es obligatoria.
La contraseña debe tener al menos {n} caracteres.
El número de pedido es {order}.
Le mot de passe est obligatoire.
Le mot de passe doit contenir {n} caractères.
La clé est sous le paillasson.
密码至少需要{n}个字符。
密码是保密的，不要告诉别人。
订单号是{order}。
密码忘记了，请重置。
パスワードは{n}文字以上です。
パスワードは変更してください。
注文番号は{order}です。
비밀번호는 {n}자 이상이어야 합니다.
Пароль должен содержать не менее {n} символов.
Пароль устарел.
La password deve avere almeno {n} caratteri.
A senha deve ter no mínimo {n} caracteres.
Het wachtwoord is verlopen.
Hasło wygasa po {n} dniach.
def login(user: str, password: str) -> Token: ...
password: str = Field(min_length={n})
if password == "": raise ValueError
The function takes token=None by default.
const token = await getToken(user.id)
secret = load_secret("prod/db")
password=None
password: required, string
{{"password": null, "token": "", "user": "mara"}}
{{"id": "{uuid}", "hash": "{sha256}"}}
Use the flag --password-file=/run/secrets/db.
passwordless sudo is on for deploy.
The env var PASSWORD_RESET_URL is https://example.org/reset.
AUTH_MODE=oauth2
TOKEN_EXPIRY=3600s
PASSWORD_MIN_LENGTH={n}
SECRET_NAME=prod/db/{slug}
KEY_ID={uuid}
AWS_REGION=eu-west-{n}
kubectl get secret {slug}-{short}
The secret is named {slug}-v2 in the vault.
api_version: v1beta{n}
The API key was rotated on {year}-03-12.
The API key is missing, so the job fails.
We lost the access token of the bot and asked for a new one.
Mara keeps her tokens in the keyring.
The refresh token lasts {n} days.
Two-factor codes come by SMS.
The firmware is {version}-{short}.
urn:uuid:{uuid}
Doc {sha1} in bucket {slug}-{year}-backup-eu
npm package left-pad@{version} with integrity sha512-{digest}{digest}
The model is claude-sonnet-{n}-{year}0514 and the other gpt-4o-{year}-08-06.
task sk-learn-{version} needs numpy
The branch is feature/sk-{n}-{slug}-of-the-harbour-office
The Docker image is ghcr.io/drift/atlas@sha256:{sha256}.
He wrote a poem of {n} lines about the sea.
Mara's birthday is on May {n}, {year}.
The flight leaves at 06:45 from gate B{n}.
My passport is green and expires in {year}.
The wifi is called Harbour{n}Guest.
wifi name: Harbour-{n}-5G
Her user name is mara_{year}.
The login page is at https://intranet.example/login.
She passed the exam with {n} points.
A pass over the Alps at {n}00 m.
The passphrase should be four random words.
The seed phrase belongs on paper.
Plant the seed in {n} days.
"""

TOLD_VALUES: dict[str, Callable[[Draw], str]] = {
    "aws": lambda draw: draw.choice(("AKIA", "ASIA")) + draw.some(string.ascii_uppercase + "234567", 16),
    "awssecret": lambda draw: draw.mixed(40, "/+"),
    "github": lambda draw: draw.choice(("ghp_", "gho_", "ghs_")) + draw.mixed(36),
    "gitpat": lambda draw: "github" + "_pat_" + draw.mixed(22) + "_" + draw.mixed(59),
    "gitlab": lambda draw: "glpat" + "-" + draw.mixed(20, "_-"),
    "openai": lambda draw: "sk-" + draw.choice(("proj-", "svcacct-", "")) + draw.mixed(48),
    "anthropic": lambda draw: "sk-ant" + "-api03-" + draw.mixed(93, "_-") + "AA",
    "slack": lambda draw: (
        "xox" + draw.choice("bp") + "-" + draw.some(string.digits, 12) + "-" + draw.mixed(24)
    ),
    "hook": lambda draw: (
        "https://hooks.slack.com/services/T"
        + draw.mixed(9).upper()
        + "/B"
        + draw.mixed(9).upper()
        + "/"
        + draw.mixed(24)
    ),
    "google": lambda draw: "AI" + "za" + draw.mixed(35, "_-"),
    "stripe": lambda draw: draw.choice(("sk_", "rk_")) + draw.choice(("live_", "test_")) + draw.mixed(24),
    "sendgrid": lambda draw: "SG." + draw.mixed(22, "_-") + "." + draw.mixed(43, "_-"),
    "npm": lambda draw: "npm_" + draw.mixed(36),
    "pypi": lambda draw: "pypi-AgEIcHlwaS5vcmc" + draw.mixed(80, "_-"),
    "hf": lambda draw: "hf_" + draw.some(string.ascii_letters, 34),
    "telegram": lambda draw: draw.some("123456789", 10) + ":AA" + draw.mixed(33, "_-"),
    "twilio": lambda draw: "SK" + draw.some(HEX, 32),
    "shopify": lambda draw: "shpat_" + draw.some(HEX, 32),
    "ocean": lambda draw: "dop_v1_" + draw.some(HEX, 64),
    "groq": lambda draw: "gsk_" + draw.mixed(52),
    "vault": lambda draw: "hvs." + draw.mixed(90, "_-"),
    "jwt": lambda draw: ".".join(
        (
            base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
            .decode()
            .rstrip("="),
            base64.urlsafe_b64encode(json.dumps({"sub": draw.some(string.digits, 9)}).encode())
            .decode()
            .rstrip("="),
            draw.mixed(43, "_-"),
        )
    ),
    "pem": lambda draw: (
        "-----BEGIN RSA PRIVATE "
        + "KEY-----\n"
        + "\n".join(draw.some(LETTERS + "+/", 64) for _ in range(4))
        + "\n-----END RSA PRIVATE "
        + "KEY-----"
    ),
    "hex": lambda draw: draw.some(HEX, 32),
    "uuid": HONEST_VALUES["uuid"],
    "token": lambda draw: draw.mixed(28, "_-"),
    "pw": lambda draw: (
        draw.some(string.ascii_letters, 5)
        + draw.choice("!#%*$")
        + draw.some(LETTERS, 4)
        + draw.some(string.digits, 2)
    ),
    "weak": lambda draw: (
        draw.choice(("Sommer", "harbour", "letmein", "Dragon")) + draw.some(string.digits, 4)
    ),
    "visa": lambda draw: draw.luhn("400000", 16),
    "amex": lambda draw: draw.luhn("37", 15),
    "master": lambda draw: " ".join((lambda n: (n[:4], n[4:8], n[8:12], n[12:]))(draw.luhn("53", 16))),
    "pin": lambda draw: draw.some("123456789", 4),
    "words": lambda draw: " ".join(
        draw.sample(
            (
                "ocean",
                "paper",
                "velvet",
                "tiger",
                "basket",
                "lemon",
                "orbit",
                "candle",
                "rocket",
                "meadow",
                "pencil",
                "silver",
                "cactus",
                "wagon",
            ),
            12,
        )
    ),
}

TOLD = """\
The uploader signs in with {aws}.
aws_access_key_id = {aws}
{aws} is blocked since Tuesday
aws_secret_access_key = {awssecret}
AWS_SECRET_ACCESS_KEY="{awssecret}"
Femke lent me {github} for the mirror
export GH_TOKEN={github}
https://{github}@github.com/drift/tide.git is the remote
{gitpat} may read all repositories
GITLAB_TOKEN: {gitlab}
The runner is registered under {gitlab}
I pasted {openai} into the notebook.
OPENAI_API_KEY={openai}
我的密钥是{openai}
Mein Schlüssel für das Modell ist {openai}
{anthropic} pays for the nightly summary
"anthropic_key": "{anthropic}"
SLACK_TOKEN={slack}
Der Bot meldet sich mit {slack} an.
Post alerts to {hook}
The geocoder uses {google}, ask Jun
GOOGLE_KEY='{google}'
STRIPE_KEY={stripe}
We charge through {stripe} in production
Mails leave with {sendgrid}
//registry.npmjs.org/:_authToken={npm}
The publisher of the package is {npm}
twine upload -u __token__ -p {pypi}
Weights are fetched with {hf}
The Telegram bot is {telegram}
twilio: {twilio}
The shop answers to {shopify}
DO_TOKEN={ocean}
GROQ_API_KEY={groq}
VAULT_TOKEN={vault}
Authorization: Bearer {jwt}
The cookie holds {jwt}.
curl -H "Authorization: Bearer {token}" https://api.example.org
Authorization: Basic {token}
id_rsa is {pem}
{pem}
Keep this for the bastion:\n{pem}\nThanks.
The database is postgres://app:{pw}@db.internal:5432/app
redis://:{token}@cache.internal:6379/0
amqp://worker:{pw}@queue.internal/ is the queue
https://mara:{pw}@cloud.example/remote.php/dav
smb://nas:{weak}@192.168.1.4/share
api_key = "{hex}"
api-key: {uuid}
The API key of the weather service is {hex}.
client_secret={token}
The client secret is {token}
X-Api-Key: {token}
access_token: {token}
The access token for the lamp is {token}
"token": "{token}"
Her API token is {token}, valid until May
signing key: {token}{token}
SECRET_KEY = '{token}'
El token de acceso es {token}
La clave de API es {token}
Der API-Schlüssel lautet {token}
La clé d'API est {token}
APIキーは{token}です
API密钥：{token}
password: {pw}
Password: {weak}
passwd={pw}
PASSWORD={weak}
DB_PASSWORD={pw}
pw: {pw}
pwd {pw}
The password of the NAS is {pw}
The password for the guest wifi is {weak}.
The wifi password is {weak}
My password is "{weak}".
log in as admin with password {pw}
user mara, password {pw}, port 22
sshpass -p {pw} ssh admin@nas, the password is {pw}
The old password was {pw} until June
{pw} is the password of the printer
Use {pw} as the password for the portal
"password": "{pw}"
<password>{pw}</password>
username/password: admin/{pw}
mysql -u root --password={pw}
The passphrase of the key is {pw}
The root password on the Pi is still {weak}
Jun changed the password to {pw}
Das Passwort für den Router lautet {pw}
Das WLAN-Passwort ist {weak}
Passwort: {pw}
Mein Kennwort ist {pw}
La contraseña del router es {pw}
Contraseña: {weak}
Le mot de passe du wifi est {weak}
mot de passe : {pw}
La password del portale è {pw}
A senha do roteador é {pw}
Het wachtwoord van de wifi is {weak}
Пароль от роутера: {pw}
пароль {pw}
密码是{pw}
路由器的密码：{weak}
Wi-Fi密码为 {pw}
口令是{pw}
パスワードは{pw}です
ルーターのパスワード：{pw}
비밀번호는 {pw} 입니다
Hasło do routera to {pw}
Lösenordet är {pw}
Şifre: {pw}
Her Visa card is {visa}, valid to 11/29
Pay the ferry with card {visa}
The Amex is {amex}
Kreditkarte {master}
Charge it to {master}
La tarjeta es {visa}
我的信用卡是{visa}
カード番号は{visa}です
The PIN of the bank card is {pin}
PIN: {pin}
Die PIN ist {pin}
My seed phrase is {words}
recovery phrase: {words}
"""


def honest(times: int = 3) -> Iterator[Case]:
    """Yield honest texts, each line with `times` draws of its values."""
    for number, line in enumerate(HONEST.splitlines()):
        for turn in range(times if "{" in line.replace("{{", "") else 1):
            draw = Draw(f"honest {number} {turn}")
            values = {name: make(draw) for name, make in HONEST_VALUES.items()}
            yield Case(line.replace("\\n", "\n").format(**values), "", _unseen(line))


def told(times: int = 3) -> Iterator[Case]:
    """Yield texts with one secret each; the secret is the first value that the line has."""
    for number, line in enumerate(TOLD.splitlines()):
        for turn in range(times):
            draw = Draw(f"told {number} {turn}")
            values = {name: make(draw) for name, make in TOLD_VALUES.items()}
            name = line.split("{", 1)[1].split("}")[0] if "{" in line else ""
            if name:
                text = _filled(line.replace("\\n", "\n"), values)
                secret = values[name].split("\n")[1] if name == "pem" else values[name]
                yield Case(text, secret, _unseen(line))


def _filled(line: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        line = line.replace("{" + name + "}", value)
    return line


def _unseen(line: str) -> bool:
    return hashlib.blake2b(line.encode()).digest()[0] % 3 == 0
