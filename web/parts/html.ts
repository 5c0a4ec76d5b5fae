/** Text that is HTML already. */
export interface Html {
  html: string
}

type Value = Html | string | number | null | undefined | false | readonly Value[]

/** A template whose values are escaped, unless they are HTML themselves. Lists are joined; what is absent is nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: parts.map((part, index) => part + textOf(values[index])).join('') }
}

function textOf(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'object') return 'html' in value ? value.html : value.map(textOf).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
