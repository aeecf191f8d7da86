/** `warning`: the service runs, but not as a shop with customers needs it. `remedy` is a sentence that says what to do. */
export type Finding = { ok: boolean; warning?: true; what: string; detail: string; remedy?: string }

export function fine(what: string, detail: string): Finding {
  return { ok: true, what, detail }
}

export function bad(what: string, detail: string, remedy: string): Finding {
  return { ok: false, what, detail, remedy }
}

export function warning(what: string, detail: string, remedy: string): Finding {
  return { ok: true, warning: true, what, detail, remedy }
}
