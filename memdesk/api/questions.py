"""Questions: the effect of a change on recent recalls, and questions that are kept as tests."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.questions import (
    ActEffect,
    AskEffect,
    AskQuestions,
    ForgetQuestion,
    KeepQuestion,
    QuestionChanged,
    QuestionList,
    QuestionsRun,
    RunQuestions,
)
from memdesk.model.team import CURATOR

EFFECT = Post(
    "questions.effect",
    AskEffect,
    ActEffect,
    "Which recent recalls would return something else after an act on one memory or many",
    "recall.act_effect:effect",
    role=CURATOR,
    reads=True,
)
LIST = Get(
    "questions.list",
    AskQuestions,
    QuestionList,
    "Questions that are kept as tests, those that lost their answer first",
    "recall.kept_questions:list_questions",
    role=CURATOR,
    face=Face(
        "questions list",
        about="List the questions that are kept as tests, those that lost their answer first.",
        help={"lost": "only those whose answer is missing"},
        columns="ID {id} | CHANNEL {channel} | QUESTION {text} | MUST TELL {expects} | STATE {says}",
        none="No question is kept yet: `memdesk questions keep` keeps one.",
    ),
)
KEEP = Post(
    "questions.keep",
    KeepQuestion,
    QuestionChanged,
    "Keep a question as a test: words that its recall must tell",
    "recall.kept_questions:keep",
    role=CURATOR,
    face=Face(
        "questions keep",
        about="Keep a question as a test: words that its recall must tell.",
        positional=("text", "expects"),
        line="{title} ({id}).",
    ),
)
FORGET = Post(
    "questions.forget",
    ForgetQuestion,
    QuestionChanged,
    "Forget a kept question",
    "recall.kept_questions:forget",
    role=CURATOR,
    face=Face("questions forget", positional=("id",), line="Forgotten: {title} (change {change})."),
)
RUN = Post(
    "questions.run",
    RunQuestions,
    QuestionsRun,
    "Ask the kept questions now, and say which gained or lost their answer",
    "recall.kept_questions:run",
    role=CURATOR,
)
