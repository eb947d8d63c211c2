"""What a text says to somebody who cannot or does not eat a food: who warns of it never speaks for it (METHOD 7.1, 12).

A wish in Chinese meets sentences of both languages here: 对坚果过敏, 乳糖不耐 and 不吃猪肉 are one kind of wish.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from pdgf.engines.builtin.chinese.evidence import denied_at
from pdgf.engines.builtin.chinese.wording import read_chinese_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.food.kept_away import kept_away_finding
from pdgf.glossary import folded, gloss, has_han


@dataclass(frozen=True, kw_only=True)
class Food:
    """A food that people leave out: what Chinese texts call it and what holds it, its English names.

    `told` says that naming it is a warning; who cannot have dairy or gluten may still eat where some dishes hold it.
    """

    name: str
    chinese: str
    english: str
    told: bool = True


_FOODS = (
    Food(
        name="raw food",
        chinese="生食|生冷|生鱼片?|刺身|生蚝|生牛肉|生肉|生腌|寿司|鞑靼|醉虾|醉蟹|生拌|溏心蛋",
        english=r"raw (?:fish|seafood|meat|food)|sashimi|sushi|raw",
    ),
    Food(name="nuts", chinese="坚果|花生|杏仁|核桃|腰果|榛子?仁?|开心果|沙爹", english=r"(?:pea)?nuts?"),
    Food(name="gluten", chinese="麸质|小麦|麦麸|面筋|乳糜泻", english=r"gluten|wheat|flour|c(?:o)?eliacs?", told=False),
    Food(
        name="dairy",
        chinese="乳糖|牛奶|奶油|黄油|奶酪|芝士|乳制品|奶制品|奶",
        english=r"dairy|milk|lactose",
        told=False,
    ),
    Food(
        name="seafood",
        chinese="海鲜|海产|虾|螃?蟹|贝类?|蛤蜊?|生蚝|鱿鱼|章鱼|墨鱼|鱼(?!香)",
        english=r"seafood|fish|shellfish",
    ),
    Food(name="shellfish", chinese="贝类?|甲壳类|虾|螃?蟹|蛤蜊?|生蚝|扇贝", english=r"shellfish"),
    Food(name="fish", chinese="鱼(?!香)", english=r"fish"),
    Food(
        name="pork", chinese="猪肉|猪(?!排档)|培根|火腿|香肠|腊肠|腊肉|五花肉|叉烧|排骨|红烧肉|小笼包", english=r"pork"
    ),
    Food(name="beef", chinese="牛肉|牛排|牛腩|肥牛", english=r"beef"),
    Food(name="lamb", chinese="羊肉|羊排|羊肉串|羊蝎子", english=r"lamb|mutton"),
    Food(name="eggs", chinese="鸡蛋|蛋", english=r"eggs?"),
    Food(name="mushrooms", chinese="蘑菇|香菇|菌菇|菌", english=r"mushrooms?"),
    Food(name="prawns", chinese="虾", english=r"prawns?|shrimps?"),
    Food(name="crab", chinese="螃?蟹", english=r"crabs?"),
    Food(name="coriander", chinese="香菜|芫荽", english=r"coriander|cilantro"),
)
_PREGNANCY = Food(
    name="pregnancy", chinese="孕妇|怀孕|孕期|准妈妈|哺乳", english=r"pregnan\w+|breastfeeding", told=False
)
RAW = next(food for food in _FOODS if food.name == "raw food")  # of which whoever is pregnant keeps away too
_DIETS = {"nut-free": "nuts", "gluten-free": "gluten", "dairy-free": "dairy", "peanuts": "nuts"}

_NOT_SERVED = r"(?:\bnot|n['’]t|\bnever) (?:served|sold|offered|used|cooked with|on the menu)"
_NOTHING = r"\bnothing(?: (?:is|was|comes|here|served|cooked))+"
_EXPECTING = re.compile("孕妇|怀孕|孕期|哺乳")
_CANNOT = r"(?:过敏|不耐受?|敏感|忌口)"
_KEEP_AWAY = re.compile(
    r"别|勿|慎|小心|当心|注意|留神|避开|绕道|绕行|绕开|不适合|不宜|不友好|不建议|不推荐|没得吃|没什么可吃|没(?:有)?选择|远离"
    r"|劝退|危险|可惜|只能|不能来|不要来|不能吃|难|自求多福|中招|踩雷"
)
_NO_PROMISE = re.compile(
    r"(?:不能|无法|没法|难以|不敢|不)(?:保证|确保|承诺|担保)|可能(?:会)?(?:含|有|混|接触|沾)|交叉(?:污染|接触)"
)
_WELCOME = re.compile(
    r"放心|友好|安心|照顾|也能吃|也可以吃|可以吃|能吃的|不用担心|无需担心|有(?:专门|单独|专用)|单独(?:的)?(?:菜单|厨具|锅)|适合"
)


@lru_cache(maxsize=4_096)
def food_kept_away(feature: str) -> Food | None:
    """The food that a wish in Chinese leaves out; None for any other wish."""
    if not has_han(feature):
        return None
    read = read_chinese_feature(feature)
    if read.perspective not in ("diet", "dish"):
        return None
    focus, words = folded(read.focus), gloss(read.focus).casefold()
    if not read.avoid and read.perspective == "diet" and _EXPECTING.search(focus):
        return _PREGNANCY
    if not read.avoid:
        words = _DIETS.get(words, "") if read.perspective == "diet" else ""
        cannot = read.perspective == "diet" and re.search(_CANNOT, focus)
        return next((f for f in _FOODS if f.name == words or (cannot and re.search(f.chinese, focus))), None)
    words = _DIETS.get(words, words)
    by_name = next((food for food in _FOODS if food.name == words), None)
    food = by_name or next((food for food in _FOODS if re.fullmatch(food.chinese, focus)), None)
    return food and replace(food, told=True)


@lru_cache(maxsize=100_000)
def food_finding(sentence: str, food: Food) -> Finding | None:
    """What one sentence says to somebody who leaves a food out; None where it says nothing of the food."""
    if food is _PREGNANCY:
        warned = food_finding(sentence, RAW)
        if warned is Finding.AGAINST:
            return warned
    if has_han(sentence):
        return _in_chinese(folded(sentence), food)
    missing = rf"\b(?:{food.english})\b[^.;,]{{0,20}}{_NOT_SERVED}|{_NOTHING} (?:{food.english})\b"
    if re.search(missing, sentence, re.IGNORECASE):
        return Finding.FOR
    return kept_away_finding(sentence, food.name, spoken=food.english, told=food.told)


def _in_chinese(plain: str, food: Food) -> Finding | None:
    named = list(re.finditer(food.chinese, plain))
    if not named:
        return None
    if food is _PREGNANCY:
        kept = _KEEP_AWAY.search(re.sub(r"不用(?:担心|小心)|别担心", "", plain))
        return Finding.AGAINST if kept else Finding.FOR if _WELCOME.search(plain) else None
    eaters = re.search(rf"(?:{food.chinese}){_CANNOT}|(?:不吃|忌)(?:{food.chinese})的", plain)
    offered = re.search(rf"(?:无|不含|去|零)(?:{food.chinese})", plain)
    if _NO_PROMISE.search(plain):
        return Finding.AGAINST
    if offered:
        refused = re.search(r"没有|没|不提供|缺|很少", plain[max(0, offered.start() - 5) : offered.start()])
        return Finding.AGAINST if refused else Finding.FOR
    if eaters:
        if _KEEP_AWAY.search(re.sub(r"不用(?:担心|小心)|别担心", "", plain)):
            return Finding.AGAINST
        beside = [m for m in named if not eaters.start() <= m.start() < eaters.end()]
        if any(not denied_at(plain, m.start(), m.end()) for m in beside):
            return Finding.AGAINST
        return Finding.FOR if _WELCOME.search(plain) or beside else None
    denied = [denied_at(plain, m.start(), m.end()) for m in named]
    if all(denied):
        return Finding.FOR
    return Finding.AGAINST if food.told else None
