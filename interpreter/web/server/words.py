"""What the server itself says to people, in English and French, and the refusals that carry it.

Whatever comes from a ruleset is in the ruleset's own words and languages; here are only sentences of the program.
"""

from __future__ import annotations

from typing import Any

LANGUAGES = ("en", "fr")

WORDS: dict[str, tuple[str, str]] = {
    "no_such_page": ("There is nothing at this address.", "Il n’y a rien à cette adresse."),
    "no_such_game": ("There is no game `{name}` here.", "Il n’y a pas de jeu `{name}` ici."),
    "no_such_table": ("There is no such table.", "Cette table n’existe pas."),
    "bad_request": ("This request cannot be read: {why}.", "Cette demande est illisible : {why}."),
    "bad_json": ("The body is no JSON object.", "Le corps n’est pas un objet JSON."),
    "wrong_type": ("Send JSON, with `Content-Type: application/json`.", "Envoyez du JSON (`application/json`)."),
    "too_large": ("This is more than {most} bytes.", "C’est plus de {most} octets."),
    "too_fast": ("Too many requests; wait a moment.", "Trop de demandes ; attendez un instant."),
    "too_slow": ("The request took too long to arrive.", "La demande a mis trop de temps à arriver."),
    "too_many": ("There are too many tables or connections.", "Il y a trop de tables ou de connexions."),
    "wrong_host": ("This server does not answer to that name.", "Ce serveur ne répond pas à ce nom."),
    "wrong_origin": ("Another page may not call this server.", "Une autre page ne peut pas appeler ce serveur."),
    "wrong_method": ("This cannot be done here.", "Ceci n’est pas possible ici."),
    "wrong_seat": ("That is no seat of this table.", "Ce siège n’est pas de cette table."),
    "need_seat": ("Only who sits at this table may do that.", "Seul un joueur de cette table peut le faire."),
    "no_open_seat": ("No seat is open here.", "Aucun siège n’est libre ici."),
    "not_your_turn": ("It is not for you to choose now.", "Ce n’est pas à vous de choisir."),
    "stale": ("The table has moved on; nothing was done.", "La partie a avancé ; rien n’a été fait."),
    "no_such_option": ("There is no such option here.", "Cette option n’existe pas ici."),
    "over": ("The game is over.", "La partie est terminée."),
    "thinking": ("A bot is at it.", "Un robot réfléchit."),
    "no_undo": ("Nothing is taken back at this table.", "On ne revient pas en arrière à cette table."),
    "undo_nothing": ("You have not chosen anything yet.", "Vous n’avez encore rien choisi."),
    "undo_horizon": (
        "Dice were rolled or something hidden was shown since.",
        "Des dés ont été lancés ou une information cachée a été vue depuis.",
    ),
    "undo_others": ("Somebody else has chosen since.", "Quelqu’un d’autre a choisi depuis."),
    "undo_together": ("All are choosing at once.", "Tout le monde choisit en même temps."),
    "undo_waiting": ("Wait for what comes of it.", "Attendez la suite."),
    "waiting": ("Your choice is made; wait a moment.", "Votre choix est fait ; attendez un instant."),
    "waiting_together": (
        "Your choice is made; all are shown when everybody has chosen.",
        "Votre choix est fait ; tout est montré quand tout le monde a choisi.",
    ),
    "no_hints": ("This table gives no hints.", "Cette table ne donne pas d’indices."),
    "hint": ("A bot would choose: {label}", "Un robot choisirait : {label}"),
    "hint_estimate": (
        "A bot would choose: {label} (it rates your chances at {share} of 100)",
        "Un robot choisirait : {label} (il estime vos chances à {share} sur 100)",
    ),
    "no_step": ("There is no step {step}: they go from 0 to {most}.", "Pas d’étape {step} : elles vont de 0 à {most}."),
    "not_yours": (
        "Only after the end, or where all persons of the table are you.",
        "Seulement après la fin, ou si toutes les personnes de la table sont vous.",
    ),
    "offered": ("It is offered.", "C’est proposé."),
    "not_offered": ("It is not offered now.", "Ce n’est pas proposé maintenant."),
    "fault": ("The rules of this game have an error here.", "Les règles de ce jeu ont une erreur ici."),
    "stopped": (
        "The rules of this game took too much time or memory and were stopped. Nothing was done.",
        "Les règles de ce jeu ont pris trop de temps ou de mémoire et ont été arrêtées. Rien n’a été fait.",
    ),
    "fault_at": (
        "The rules of this game have an error in `{rule}`: {what}",
        "Les règles de ce jeu ont une erreur dans `{rule}` : {what}",
    ),
    "unusable": ("The rules of `{name}` cannot be used: {what}", "Les règles de `{name}` sont inutilisables : {what}"),
    "wrong_seats": ("{seats} seats are needed.", "Il faut {seats} sièges."),
    "wrong_bot": ("There is no bot `{bot}` here.", "Il n’y a pas de robot `{bot}` ici."),
    "nobody": ("At least one seat must be yours.", "Au moins un siège doit être le vôtre."),
    "no_language": ("`{language}` is no language of this game.", "`{language}` n’est pas une langue de ce jeu."),
    "bot_late": (
        "The bot of {seat} did not answer in time and took any option.",
        "Le robot de {seat} n’a pas répondu à temps et a choisi au hasard.",
    ),
    "replay_stuck": (
        "With the new rules the game cannot go on at decision {step}: {what}",
        "Avec les nouvelles règles, la partie ne peut pas continuer à la décision {step} : {what}",
    ),
    "broken": ("A mistake of the server; the table is safe.", "Une erreur du serveur ; la table est sauve."),
    "seat": ("Seat {number}", "Siège {number}"),
    "needs": ("needs {names}", "demande {names}"),
    "excludes": ("not together with {names}", "pas avec {names}"),
    "only_players": ("for {players} players", "pour {players} joueurs"),
    "only_one": ("for 1 player", "pour 1 joueur"),
    "disk": ("This could not be kept on disk; nothing was done.", "Écriture impossible ; rien n’a été fait."),
}  # fmt: skip


def said(key: str, language: str, **values: Any) -> str:
    """A sentence of the server in a language; other languages than ours are answered in English."""
    english, french = WORDS[key]
    return (french if language == "fr" else english).format(**values)


def language_of(asked: str | None, accepted: str | None) -> str:
    """The language of a request: what it asks for, or the first of its `Accept-Language`, or English."""
    if asked:
        return asked
    first = (accepted or "").split(",")[0].split(";")[0].strip().lower()
    return first.split("-")[0] or "en"


class Refused(Exception):
    """A request that is not carried out: a status, a code for programs, and words for people."""

    def __init__(self, status: int, code: str, **values: Any) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.values = values
        self.more: dict[str, Any] = {}

    def with_more(self, **more: Any) -> Refused:
        """Data that goes out beside the words."""
        self.more.update(more)
        return self

    def as_data(self, language: str) -> dict[str, Any]:
        return {"error": {"code": self.code, "words": said(self.code, language, **self.values)}, **self.more}
