/** Text that is already HTML. */
export interface Html {
  html: string
}

type Value = Html | string | number | null | undefined | false | readonly Value[]

/** Static parts of a template without the indentation of the source, which was a fifth of a page. */
const compacted = new WeakMap<TemplateStringsArray, readonly string[]>()

function compact(parts: TemplateStringsArray): readonly string[] {
  const known = compacted.get(parts)
  if (known) return known
  const made = parts.map((part) => part.replace(/\n\s+/g, '\n'))
  compacted.set(parts, made)
  return made
}

/**
 * Template tag that escapes values unless they are `Html`. Joins lists; null, undefined and false give
 * nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return {
    html: compact(parts)
      .map((part, index) => part + textOf(values[index]))
      .join(''),
  }
}

/** Text between tags, in which quotes stand as they are: there are many of them in JSON. */
export const content = (text: string): Html => ({
  html: text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`),
})

function textOf(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'object') return 'html' in value ? value.html : value.map(textOf).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
