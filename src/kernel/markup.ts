/** Safe markup, made only by the template `html`. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Null, undefined and false add nothing; lists are joined without separator. */
export type MarkupPart = Html | string | number | null | undefined | false | readonly MarkupPart[]

/** Escapes every part that is not Html, for text and quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Html {
  return new Html(strings.reduce((text, string, at) => text + markupOf(parts[at - 1]) + string))
}

function markupOf(part: MarkupPart): string {
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

/** Lone surrogates cannot be sent. */
function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}
