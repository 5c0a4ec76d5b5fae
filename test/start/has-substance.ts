/** Where an answer keeps its content; what stands beside (meta, ids, names) says nothing of it. */
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

/** Whether an answer says anything: a number that is not 0, a text or a true value, in its content if it names one. */
export function hasSubstance(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSubstance)
  if (value === null || typeof value !== 'object') return Boolean(value)
  const content = Object.entries(value).filter(([name]) => CONTENT.includes(name))
  const said = content.length > 0 ? content.map(([, inner]) => inner) : Object.values(value)
  return said.some(hasSubstance)
}
