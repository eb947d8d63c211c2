"""The web search: several providers behind the port `Search`, one after another where one fails (METHOD 5.2, 13.1).

    queries -> each once, cut to a provider's length -> hits, or what went wrong -> the rest to the next provider

serper       Google's results by serper.dev; many queries in one request; needs a key
searxng      an instance of SearXNG of one's own
duckduckgo   without a key, by the package ddgs; the last resort
fallback     FallbackSearch: the providers in turn; who cannot be asked again is left out
asking       what a provider is, and how one list of queries goes through several
queries      queries made fit to be sent
hits         results as they came -> hits; a bad one costs no other
faults       what a refusal means; pacing: how many at once, and trying again; connection: HTTP
"""
