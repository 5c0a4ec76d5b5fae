import pg from 'pg'

/** A commit of this process, by its number from 1 (0: none), just before it is sent or just after its answer. */
export interface CommitPoint {
  number: number
  moment: 'before' | 'after'
}

/** A statement outside of a transaction commits if it writes. Calls of functions of the database do. */
const WRITES = /\b(insert into|update|delete from)\b|^select \w+\(/i

type Query = (...args: unknown[]) => unknown

/** Has this process kill itself with SIGKILL at a commit. */
export function dieAtCommit({ number, moment }: CommitPoint): void {
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const { query } = prototype
  const inTransaction = new WeakSet<object>()
  let commits = 0

  function isCommit(client: object, text: string): boolean {
    if (text === 'begin') inTransaction.add(client)
    if (inTransaction.has(client)) {
      if (text === 'commit' || text === 'rollback') inTransaction.delete(client)
      return text === 'commit'
    }
    return WRITES.test(text)
  }

  prototype.query = function (this: object, ...args: unknown[]): unknown {
    const [first] = args
    const text = typeof first === 'string' ? first : ((first as { text?: string }).text ?? '')
    if (!isCommit(this, text) || ++commits !== number) return query.apply(this, args)
    if (moment === 'before') return die()
    const callback = args.at(-1)
    if (typeof callback === 'function') return query.apply(this, [...args.slice(0, -1), die])
    return (query.apply(this, args) as Promise<unknown>).then(die)
  }
}

/** Never resolves, so that nothing more is sent. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
