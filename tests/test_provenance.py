from lvc import provenance


def test_the_commit_is_that_of_the_beginning(monkeypatch):
    answers = iter(["provenance.py", "abc1234", "provenance.py", "def5678"])
    monkeypatch.setattr(provenance, "_git", lambda *_: next(answers))
    provenance.commit.cache_clear()
    assert [provenance.provenance()["commit"] for _ in range(2)] == ["abc1234"] * 2
    provenance.commit.cache_clear()
    assert provenance.commit() == "def5678"
    provenance.commit.cache_clear()
