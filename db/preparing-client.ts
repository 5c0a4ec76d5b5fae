import pg from 'pg'

const MARK = /^\/\* prepared: (\S+) \*\//

/** Client that has the server parse and plan a statement marked with a name once per connection. */
export class PreparingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values] = args
    const name = typeof text === 'string' && text.startsWith('/*') ? MARK.exec(text)?.[1] : undefined
    const query = super.query as unknown as (...args: unknown[]) => never
    return name === undefined ? query.apply(this, args) : query.call(this, { name, text, values })
  }
}
