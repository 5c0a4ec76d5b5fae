import { notFound } from '../../api/errors.ts'
import type { Visit } from '../parts/visit.ts'

/** The id in the path of a page. Throws 404 for what is no id. */
export function idOf({ params }: Visit['request']): string {
  const { id } = params as { id: string }
  if (!/^\d{1,18}$/.test(id)) throw notFound()
  return id
}
