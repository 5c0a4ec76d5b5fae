/** Longest object or list that stays on one line. */
const LINE = 72

interface Syntax {
  key: (name: string) => string
  scalar: (value: unknown) => string
  /** Spaces inside the braces of an object on one line. */
  gap: string
  indent: string
  /** After the last part of an object or list on several lines. */
  trailing: string
}

const isName = (text: string) => /^[A-Za-z_$][\w$]*$/.test(text)
const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

/** JSON as a literal of TypeScript. */
export const typescriptLiteral = (value: unknown): string =>
  literal(value, {
    key: (name) => (isName(name) ? name : quoted(name)),
    scalar: (one) => (typeof one === 'string' ? quoted(one) : JSON.stringify(one)),
    gap: ' ',
    indent: '',
    trailing: ',',
  })

/** JSON for people: short lists and objects stay on one line. */
export const jsonText = (value: unknown): string =>
  literal(value, {
    key: (name) => JSON.stringify(name),
    scalar: (one) => JSON.stringify(one),
    gap: ' ',
    indent: '',
    trailing: '',
  })

const PYTHON = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])

/** JSON as a literal of Python, for an argument of an indented call. */
export const pythonLiteral = (value: unknown): string =>
  literal(value, {
    key: (name) => JSON.stringify(name),
    scalar: (one) => PYTHON.get(one) ?? JSON.stringify(one),
    gap: '',
    indent: '    ',
    trailing: ',',
  })

function literal(value: unknown, syntax: Syntax): string {
  if (typeof value !== 'object' || value === null) return syntax.scalar(value)
  const inner = { ...syntax, indent: `${syntax.indent}  ` }
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item: unknown) => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${syntax.key(name)}: ${literal(item, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const gap = isList ? '' : syntax.gap
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`
  if (line.length <= LINE && !line.includes('\n')) return line
  const lines = parts.map((part) => inner.indent + part).join(',\n')
  return `${open}\n${lines}${syntax.trailing}\n${syntax.indent}${close}`
}
