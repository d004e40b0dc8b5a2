/** Markup that is known to be safe: only the template `html` below makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * What may stand in a template. Null, undefined and false leave nothing behind; a list is put together without anything
 * between.
 */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

/**
 * A piece of a page. Everything put into it is escaped unless it is markup itself, so a value can stand wherever text
 * can: between tags and in attributes with quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, at) => text + markupOf(parts[at - 1]) + string))
}

function markupOf(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === null || part === undefined || part === false) return ''
  return typeof part === 'object' ? part.map(markupOf).join('') : escaped(String(part))
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Half surrogate pairs cannot be sent and would be replaced on the way anyway. */
function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}
