import type { Exchanged } from '../record-fixture.ts'

/** A word that is the same for all questions of a kind, or a version. */
const WORD = /^([a-z][a-z_-]*|v\d)$/
/** Parameters that say which question it is. */
const ACTIONS = ['module', 'action']

/**
 * Which question of a source an answer belongs to: the path below the URL of the source with `*` for ids, and the
 * action or method that it names. Adapters say the path where ids look like words. null: its answers have no common
 * shape.
 */
export function operationOf({ request, configured }: Omit<Exchanged, 'answer'>): string | null {
  const { operation, body } = request
  if (operation === null) return null
  const { pathname, searchParams } = new URL(request.url)
  const base = new URL(configured).pathname.replace(/\/$/, '')
  const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
  const path = (operation?.split('?')[0] ?? below).split('/').filter((part) => part !== '')
  const words = path.map((part) => (WORD.test(part) ? part : '*'))
  const actions = ACTIONS.flatMap((name) => searchParams.get(name) ?? [])
  const method = (body as { method?: unknown } | null | undefined)?.method
  return [`/${words.join('/')}`, ...actions, ...(typeof method === 'string' ? [method] : [])].join(' ')
}
