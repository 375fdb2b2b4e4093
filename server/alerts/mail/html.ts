/** Escaped HTML. Only the `html` tag creates it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Builds HTML from a template: strings are escaped, `Html` is inserted as it is. */
export function html(template: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(template.reduce((text, piece, index) => text + textOf(parts[index - 1] ?? '') + piece))
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}
