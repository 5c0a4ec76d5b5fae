import type { Route } from '../route.ts'
import type { Admitted } from './admission.ts'

/** What a key or a bearer token opens, and whose account pays. */
export interface Access {
  accountId: string
  /** GET. */
  reads: boolean
  /** PATCH, POST and DELETE. */
  writes: boolean
  /** Tags ('Coins') and endpoints ('GET /coins/{coinId}'); null: all. */
  opens: readonly string[] | null
}

/** An admitted request with what its credential opens. */
export interface Authorized extends Admitted {
  access: Access
}

export function permits(
  { reads, writes, opens }: Access,
  { method, path, tag }: Pick<Route, 'method' | 'path' | 'tag'>,
): boolean {
  if (!(method === 'GET' ? reads : writes)) return false
  return opens === null || opens.includes(tag) || opens.includes(`${method} ${path}`)
}
