/** Fields with the content of an answer. Other fields (meta, ids, names) do not count as content. */
const CONTENT = [
  'result',
  'results',
  'data',
  'balances',
  'chart',
  'points',
  'series',
  'holders',
  'assets',
  'protocols',
]

/**
 * Whether the content of an answer, or else the answer, contains a number that is not 0, a text or a true
 * value.
 */
export function hasSubstance(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSubstance)
  if (value === null || typeof value !== 'object') return Boolean(value)
  const content = Object.entries(value).filter(([name]) => CONTENT.includes(name))
  const said = content.length > 0 ? content.map(([, inner]) => inner) : Object.values(value)
  return said.some(hasSubstance)
}
