import pg from 'pg'

const MARK = /^\/\* prepared: (\S+) \*\//

type Query = (...args: unknown[]) => never

/** Client that has the server parse and plan a statement marked with a name once per connection. */
export class PreparingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values] = args
    const name = typeof text === 'string' && text.startsWith('/*') ? MARK.exec(text)?.[1] : undefined
    return (super.query as Query).apply(this, name === undefined ? args : [{ name, text, values }])
  }
}
