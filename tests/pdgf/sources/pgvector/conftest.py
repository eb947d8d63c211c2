from tests.vector_database import database_url

__all__ = ["database_url"]
