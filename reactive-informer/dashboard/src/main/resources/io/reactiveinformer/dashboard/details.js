// One object as YAML, as it is when its row is opened.

/** The longest wait for an answer. */
const ANSWER = 10_000;

export class Details {
  #dialog;
  #title;
  #yaml;
  #last = 0; // the number of the latest request: an answer that comes after another one was asked for is not shown

  constructor(dialog, title, yaml, close) {
    this.#dialog = dialog;
    this.#title = title;
    this.#yaml = yaml;
    close.addEventListener("click", () => dialog.close());
  }

  async open(table, key) {
    const number = ++this.#last;
    this.#title.textContent = `${table}: ${key}`;
    this.#yaml.textContent = "asking for it …";
    this.#dialog.showModal();
    const answer = await fetch(`ui/object?${new URLSearchParams({ table, key })}`, { signal: AbortSignal.timeout(ANSWER) }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => "the answer broke off") : answer?.status === 404 ? "It does not exist any more."
        : answer ? `refused with ${answer.status}` : "no answer from the dashboard's server";
    if (number === this.#last) {
      this.#yaml.textContent = text;
    }
  }
}
