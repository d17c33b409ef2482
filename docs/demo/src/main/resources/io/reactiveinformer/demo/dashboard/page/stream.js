// The server's events. A browser that lost its connection comes back by itself, and is told everything anew.

/** Calls the handler of each event's name with its data, `away` when the connection is lost, `refused` with the reason if there is none to be had. */
export function open(wish, handlers) {
  const url = `/changes?${wish}`;
  const source = new EventSource(url);
  for (const name of ["hello", "row", "gone", "synced", "pulse"]) {
    source.addEventListener(name, event => handlers[name](JSON.parse(event.data)));
  }
  let asked = null;
  source.addEventListener("error", async () => {
    handlers.away();
    if (source.readyState === EventSource.CLOSED) { // an answer that is no stream: only a request of one's own may read it
      asked = new AbortController();
      const answer = await fetch(url, { signal: asked.signal }).catch(() => null);
      if (answer && !answer.ok) {
        handlers.refused(await answer.text() || `refused: ${answer.status}`);
      }
      asked.abort();
    }
  });
  return () => {
    source.close();
    asked?.abort();
  };
}
