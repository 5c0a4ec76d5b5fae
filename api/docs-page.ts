import type { OpenApiDocument, Operation, Parameter } from './openapi.ts'

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24 }
  code { font: 14px ui-monospace, monospace; background: #f2f4f7; padding: 0 .25em; overflow-wrap: anywhere }
  h3 code { font-size: 16px } h3 { margin-bottom: 0 } .old { opacity: .6 }
  table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid #dde1e6 }
  nav a { display: block } a { color: #0b57d0 }
  @media (prefers-color-scheme: dark) { body { background: #14171a; color: #e6e8eb } code { background: #24292e } a { color: #8ab4f8 } td, th { border-color: #363b42 } }`

/** One page that shows the whole description: no script, nothing from another host. */
export function docsPage(document: OpenApiDocument): string {
  const { info, tags, paths } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const sections = tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return { name, own }
  })
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text(info.title)} API</title><style>${STYLE}</style></head>
<body>
<h1>${text(info.title)} API ${text(info.version)}</h1>
<p>${text(info.description)} Send the key in <code>X-API-KEY</code> or as <code>Authorization: Bearer</code>.
The same in machine-readable form: <a href="openapi.json">openapi.json</a>.</p>
<nav>${operations.map(({ path, method, operation }) => `<a href="#${operation.operationId}"><code>${method} ${text(path)}</code> ${text(operation.summary)}</a>`).join('\n')}</nav>
${sections.map(({ name, own }) => `<h2>${text(name)}</h2>\n${own.map(section).join('\n')}`).join('\n')}
</body>
</html>
`
}

function section(entry: { path: string; method: string; operation: Operation }): string {
  const { path, method, operation } = entry
  const rows = operation.parameters.map(parameterRow).join('\n')
  const table = rows && `<table><tr><th>Parameter</th><th>Values</th><th>Meaning</th></tr>${rows}</table>`
  const statuses = Object.keys(operation.responses).join(', ')
  return `<article id="${operation.operationId}"${operation.deprecated ? ' class="old"' : ''}>
<h3><code>${method} /v1${text(path)}</code></h3>
<p>${text(operation.summary)}.${operation.deprecated ? ' <strong>Deprecated.</strong>' : ''}</p>
${operation.description
  .split('\n\n')
  .map((paragraph) => `<p>${text(paragraph)}</p>`)
  .join('')}
${table}
<p>Answers: ${statuses}</p>
</article>`
}

function parameterRow({ name, in: place, required, description = '', schema }: Parameter): string {
  return `<tr><td><code>${text(name)}</code>${place === 'header' ? ' header' : ''}${required ? ' required' : ''}</td><td>${values(schema)}</td><td>${text(description)}</td></tr>`
}

function values(schema: Record<string, unknown>): string {
  const { type, items, minimum, maximum, default: fallback } = schema
  const choices = (schema.enum ?? (items as { enum?: unknown[] } | undefined)?.enum) as unknown[] | undefined
  const kind = choices
    ? choices.map((value) => `<code>${text(String(value))}</code>`).join(' ')
    : text(String(type))
  return [
    type === 'array' ? `list of ${choices ? kind : 'values'}` : kind,
    minimum !== undefined ? ` ${Number(minimum)} to ${Number(maximum)}` : '',
    fallback !== undefined ? `, default <code>${text(JSON.stringify(fallback))}</code>` : '',
  ].join('')
}

function text(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
