"""A drawing of a directed acyclic graph in columns, without a browser: where each box and each arrow goes.

    layers       column of each node = length of the longest path to it (topological generations)
    ordering     order in each column by barycentres, swept to and fro; the order with fewest crossings is kept
    placement    least-squares heights for that order, so that boxes stand level with their neighbours

An edge that skips columns gets a waypoint in each of them, ordered and placed like a box: no arrow runs through one.
Boxes that no arrow touches stand in rows below the others.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Edge = tuple[str, str]
Point = tuple[float, float]
Item = str | tuple[str, str, int]  # a node, or the waypoint of an edge in a column

COLUMN_GAP = 32.0  # pixels between columns: room for an arrow and its head
ROW_GAP = 20.0  # pixels between boxes of a column
WAYPOINT = 8.0  # pixels of height that an arrow passing through a column takes
MARGIN = 12.0  # pixels around the drawing
SWEEPS = 6
ROW_OF = 2  # boxes in a row that no arrow touches, where the others need no more columns: as many as a phone shows


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Top left corners of the boxes, way points of the edges, and the size of the whole, in pixels."""

    corners: Mapping[str, Point]
    routes: Mapping[Edge, tuple[Point, ...]]
    width: float
    height: float


def layers(nodes: Sequence[str], edges: Collection[Edge]) -> dict[str, int]:
    """The topological generation of each node, from 0. Raises ValueError when the edges hold a cycle."""
    targets, waiting = defaultdict(list), dict.fromkeys(nodes, 0)
    for base, qualifier in edges:
        targets[base].append(qualifier)
        waiting[qualifier] += 1
    ready = [node for node in nodes if not waiting[node]]
    found = dict.fromkeys(ready, 0)
    for node in ready:  # grows while it is read: Kahn's order
        for target in targets[node]:
            found[target] = max(found.get(target, 0), found[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    if len(ready) < len(nodes):
        raise ValueError("the edges hold a cycle")
    return found


def layout(heights: Mapping[str, float], box_width: float, edges: Collection[Edge]) -> Layout:
    """Place boxes of one width and the given heights. Raises ValueError when the edges hold a cycle."""
    joined = {node for edge in edges for node in edge}
    upper = _joined({node: height for node, height in heights.items() if node in joined}, box_width, edges)
    return _with_rows(upper, {node: heights[node] for node in heights if node not in joined}, box_width)


def _with_rows(upper: Layout, heights: Mapping[str, float], box_width: float) -> Layout:
    """Boxes that hang together with nothing, row by row, no wider than what stands above where that is wide enough."""
    if not heights:
        return upper
    step = box_width + COLUMN_GAP
    columns = max(ROW_OF, round((upper.width - 2 * MARGIN + COLUMN_GAP) / step))
    corners, top = dict(upper.corners), upper.height - MARGIN + ROW_GAP if upper.corners else MARGIN
    nodes = list(heights)
    for start in range(0, len(nodes), columns):
        row = nodes[start : start + columns]
        corners |= {node: (MARGIN + place * step, top) for place, node in enumerate(row)}
        top += max(heights[node] for node in row) + ROW_GAP
    wide = MARGIN * 2 + min(columns, len(nodes)) * step - COLUMN_GAP
    return Layout(corners=corners, routes=upper.routes, width=max(upper.width, wide), height=top - ROW_GAP + MARGIN)


def _joined(heights: Mapping[str, float], box_width: float, edges: Collection[Edge]) -> Layout:
    if not heights:
        return Layout(corners={}, routes={}, width=2 * MARGIN, height=2 * MARGIN)
    level = layers(list(heights), edges)
    chains = {edge: _chain(edge, level) for edge in edges}
    links = [pair for chain in chains.values() for pair in pairwise(chain)]
    columns: list[list[Item]] = [[] for _ in range(max(level.values()) + 1)]
    for node in heights:
        columns[level[node]].append(node)
    for edge, chain in chains.items():
        for step, waypoint in enumerate(chain[1:-1], start=level[edge[0]] + 1):
            columns[step].append(waypoint)
    columns = _ordered(columns, links)
    middles = _placed(columns, links, lambda item: heights[item] if isinstance(item, str) else WAYPOINT)
    top = min(middles[item] - (heights[item] if isinstance(item, str) else WAYPOINT) / 2 for item in middles) - MARGIN
    left = [MARGIN + column * (box_width + COLUMN_GAP) for column in range(len(columns))]
    corners = {node: (left[level[node]], middles[node] - heights[node] / 2 - top) for node in heights}
    routes = {edge: tuple(_route(chain, level, left, box_width, middles, top)) for edge, chain in chains.items()}
    bottoms = [middles[item] + (heights[item] if isinstance(item, str) else WAYPOINT) / 2 - top for item in middles]
    return Layout(corners=corners, routes=routes, width=left[-1] + box_width + MARGIN, height=max(bottoms) + MARGIN)


def _chain(edge: Edge, level: Mapping[str, int]) -> list[Item]:
    base, qualifier = edge
    return [base, *((base, qualifier, step) for step in range(level[base] + 1, level[qualifier])), qualifier]


def _ordered(columns: list[list[Item]], links: Sequence[tuple[Item, Item]]) -> list[list[Item]]:
    before, after = _neighbours(links)
    best, fewest = columns, _crossings(columns, after)
    for sweep in range(SWEEPS):
        columns = [list(column) for column in columns]
        forward = sweep % 2 == 0
        steps = range(1, len(columns)) if forward else range(len(columns) - 2, -1, -1)
        for step in steps:
            fixed = columns[step - 1 if forward else step + 1]
            rank = {item: position for position, item in enumerate(fixed)}
            columns[step] = _by_barycentre(columns[step], before if forward else after, rank)
        crossings = _crossings(columns, after)
        if crossings < fewest:
            best, fewest = columns, crossings
    return best


def _by_barycentre(
    column: Sequence[Item], neighbours: Mapping[Item, Sequence[Item]], rank: Mapping[Item, int]
) -> list[Item]:
    """Sort by the mean rank of the neighbours; an item without neighbours keeps its place."""
    centres = {}
    for position, item in enumerate(column):
        ranks = [rank[other] for other in neighbours.get(item, ()) if other in rank]
        centres[item] = sum(ranks) / len(ranks) if ranks else float(position)
    return sorted(column, key=centres.__getitem__)


def _crossings(columns: Sequence[Sequence[Item]], after: Mapping[Item, Sequence[Item]]) -> int:
    total = 0
    for here, there in pairwise(columns):
        rank = {item: position for position, item in enumerate(there)}
        ends = [(start, rank[other]) for start, item in enumerate(here) for other in after.get(item, ())]
        total += sum(a < c and b > d for a, b in ends for c, d in ends)
    return total


def _placed(
    columns: Sequence[Sequence[Item]], links: Sequence[tuple[Item, Item]], height: Callable[[Item], float]
) -> dict[Item, float]:
    """The middle of each item: columns stacked and centred, then drawn towards their neighbours, never overlapping."""
    before, after = _neighbours(links)
    middles: dict[Item, float] = {}
    for column in columns:
        offsets = _offsets(column, height)
        half = (offsets[-1] + height(column[-1]) / 2) / 2
        middles |= {item: offset - half for item, offset in zip(column, offsets, strict=True)}
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else reversed(columns):
            wanted = []
            for item in column:
                near = (before if forward else after).get(item) or (after if forward else before).get(item) or (item,)
                wanted.append(sum(middles[other] for other in near) / len(near))
            offsets = _offsets(column, height)
            level = _isotonic([want - offset for want, offset in zip(wanted, offsets, strict=True)])
            middles |= {i: base + offset for i, base, offset in zip(column, level, offsets, strict=True)}
    return middles


def _offsets(column: Sequence[Item], height: Callable[[Item], float]) -> list[float]:
    """Middles of a column stacked as tightly as the row gap allows, the first box starting at 0."""
    offsets, top = [], 0.0
    for item in column:
        offsets.append(top + height(item) / 2)
        top += height(item) + ROW_GAP
    return offsets


def _isotonic(values: Sequence[float]) -> list[float]:
    """The nearest non-decreasing sequence in least squares: neighbours that fall are pooled into their mean."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, size = value, 1
        while pools and pools[-1][0] > mean:
            other, count = pools.pop()
            mean, size = (other * count + mean * size) / (count + size), count + size
        pools.append((mean, size))
    return [mean for mean, size in pools for _ in range(size)]


def _neighbours(links: Sequence[tuple[Item, Item]]) -> tuple[Mapping[Item, list[Item]], Mapping[Item, list[Item]]]:
    before: dict[Item, list[Item]] = defaultdict(list)
    after: dict[Item, list[Item]] = defaultdict(list)
    for start, end in links:
        before[end].append(start)
        after[start].append(end)
    return dict(before), dict(after)


def _route(
    chain: Sequence[Item],
    level: Mapping[str, int],
    left: Sequence[float],
    box_width: float,
    middles: Mapping[Item, float],
    top: float,
) -> list[Point]:
    """Out of the base at its right side, level through each column passed, into the qualifier at its left side."""
    points = []
    for step, item in enumerate(chain, start=level[str(chain[0])]):
        height = middles[item] - top
        if step > level[str(chain[0])]:
            points.append((left[step], height))
        if item != chain[-1]:
            points.append((left[step] + box_width, height))
    return points
