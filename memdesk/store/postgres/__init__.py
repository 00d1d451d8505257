"""The store in a PostgreSQL database, for a desk that several machines share."""
