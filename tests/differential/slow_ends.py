"""How a game ends, what it scores, and the words of the slow evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.check import program as p
from interpreter.check.value_types import (
    Die,
    DirectionOf,
    EffectCell,
    EnumOf,
    Flag,
    MapEdge,
    MapNode,
    Piece,
    Player,
    SetOf,
    VType,
    bare,
)

from .slow_effects import Effects, RestOfBlock, Step
from .slow_expressions import Env, SlowFault, Value

OVER = "over"


class Ends(Effects):
    def do_Say(self, s: p.Say, env: Env, k: RestOfBlock) -> Step:
        self.state.log.append(self.text(s.text, env))
        return k(env)

    def do_Wins(self, s: p.Wins, env: Env, k: RestOfBlock) -> Step:
        self.state.winners = self.seats(s.player, env)
        self.state.over, self.state.unscored = True, s.unscored
        return OVER

    def do_Loses(self, s: p.Loses, env: Env, k: RestOfBlock) -> Step:
        """reading: ends the game at once; the others who are still in share the first rank."""
        self.state.losers = self.seats(s.player, env)
        self.state.winners = tuple(seat for seat in self.seats_in() if seat not in self.state.losers)
        self.state.over, self.state.unscored = True, s.unscored
        return OVER

    def do_DropsOut(self, s: p.DropsOut, env: Env, k: RestOfBlock) -> Step:
        """reading: the running rule goes on; the game ends by itself only if the rules say so."""
        self.state.out += [seat for seat in self.seats(s.player, env) if seat not in self.state.out]
        return k(env)

    def do_EndGame(self, s: p.EndGame, env: Env, k: RestOfBlock) -> Step:
        self.state.over = True
        return OVER

    # ------------------------------------------------------------------------ scores and ranks

    def score_lines(self, player: int) -> list[tuple[str, int]]:
        lines: list[tuple[str, int]] = []
        for block in () if self.state.unscored else self.program.scores:
            env = Env(None, None, {block.player.number: player})
            if self.holds(block.when, env):
                lines += [(self.text(line.label, env), self.ev(line.value, env)) for line in block.lines]
        return lines

    def score_of(self, player: int) -> int:
        return sum(value for _, value in self.score_lines(player))

    def scores(self) -> list[int]:
        return [self.score_of(player) for player in range(self.program.players)]

    def payoffs(self) -> list[int] | None:
        payoff = self.program.payoff
        if payoff is None:
            return None
        return [self.value_of(payoff, (player,), Env(None, None, {})) for player in range(self.program.players)]

    def ranking(self) -> list[int]:
        """The rank of each seat, 1 is best; equal ranks are shared and the next rank counts all before it.

        reading: winners by `wins` share rank 1 and all others the rank behind them; those who dropped out come
        behind those who stay, by the same criteria. Without `rank`, scores decide (highest); without scores all
        share.
        """
        if self.state.winners is not None and not self.state.winners:
            return [self.program.players + 1] * self.program.players  # nobody wins: nobody is first
        keys = [self._rank_key(player) for player in range(self.program.players)]
        ranks = [1 + sum(other > key for other in keys) for key in keys]
        rank = self.program.rank
        if self.state.winners is None and rank is not None and not rank.shared and len(set(keys)) < len(keys):
            raise SlowFault("a tie is left")
        return ranks

    def _rank_key(self, player: int) -> tuple[int, ...]:
        stays = int(player not in self.state.out)
        if self.state.winners is not None:
            return (stays, int(player in self.state.winners))
        if self.program.rank is None:
            return (stays, self.score_of(player) if self.program.scores else 0)
        env = Env(None, None, {self.program.rank.player.number: player})
        key = [stays]
        for direction, criterion in self.program.rank.criteria:
            value = self.score_of(player) if criterion is None else self.ev(criterion, env)
            key.append(value if direction == "highest" else -value)
        return tuple(key)

    # ------------------------------------------------------------------------ words

    def text(self, template: p.Template, env: Env) -> str:
        return "".join(
            part if isinstance(part, str) else self.name(part.type, self.ev(part, env)) for part in template.parts
        )

    def name(self, value_type: VType, value: Value) -> str:
        match bare(value_type):
            case SetOf(of=of):
                return ", ".join(self.name(of, item) for item in value)
            case _ if value == -1 and not _is_number(value_type):
                return "none"
            case Piece():
                return self.program.rows[self.program.pieces[value].row].name
            case Player():
                return self.program.seat_names[value]
            case EnumOf(name=name):
                enum = self.program.enums[name]
                return enum.names[enum.domain.index(value)]
            case MapNode():
                return self.program.nodes[value].name
            case MapEdge():
                return self.program.edges[value].name
            case DirectionOf(map=board):
                return self.program.maps[board].directions[value].replace("_", " ")
            case Die():
                field = self.program.fields[self.table.dice[value][0]]
                return f"die {self.table.dice[value][-1]}" if field.dimensions[-1].size > 1 else "the die"
            case Flag():
                return "yes" if value else "no"
            case EffectCell():
                cell = self.program.cells[value]
                return ", ".join(self._call_name(call) for call in cell.calls)
        return str(value)

    def _call_name(self, call: p.CellCall) -> str:
        """The text of an effect with the arguments of its cell; what the performer supplies stays open."""
        rule = call.rule
        if rule.text is None:
            return rule.name.replace("_", " ")
        values = dict(zip(rule.params[1 if call.takes_player else 0 :], call.args, strict=False))
        words = ""
        for part in rule.text.parts:
            if isinstance(part, str):
                words += part
            else:
                value = values.get(part.local) if isinstance(part, p.LocalVar) else None
                words += self.name(part.type, value) if isinstance(value, int) else "…"
        return words

    def labeller(self, template: p.Template | None, env: Env, names: Any) -> Callable[[], str]:
        """A label, made when somebody asks: the text, or the names of what is bound."""
        if template is not None:
            return lambda: self.text(template, env)
        if isinstance(names, str):
            return lambda: names
        if any(binder.local in self.program.unseen_choices for binder in names):
            return lambda: ""  # the player does not see it, and it is told by where it lies
        return lambda: ", ".join(self.name(b.local.type, env.locals[b.local.number]) for b in names)

    def prompt(self, site: Any, env: Env) -> str | None:
        template = None if isinstance(site, p.Pause) else getattr(site, "text", None)  # a pause names its option
        return None if template is None else self.text(template, env)

    def path(self, env: Env) -> tuple[str, ...]:
        """The titles of the running phases, outermost first."""
        titles = []
        for frame in env.frame or ():
            rule = frame.rule
            if rule is not None and rule.form == "phase" and rule.text is not None:
                locals_ = {param.number: arg for param, arg in zip(rule.params, frame.args, strict=True)}
                titles.append(self.text(rule.text, Env(rule, None, locals_)))
        return tuple(reversed(titles))

    def snapshot(self) -> dict[str, object]:
        """The whole position in names, to compare with another evaluator's."""
        program = self.program
        fields = {(program.fields[key[0]].name, *key[1:]): value for key, value in self.state.fields.items()}
        places = {(program.places[key[0]].name, *key[1:]): tuple(held) for key, held in self.state.contents.items()}
        return {"fields": fields, "places": places, "out": tuple(self.state.out), "generator": self.state.generator}


def _is_number(value_type: VType) -> bool:
    return type(bare(value_type)).__name__ == "Number"
