import pg from 'pg'

const MARK = /^\/\* prepared: (\S+) \*\//

type Query = (...args: unknown[]) => never

/** The name that a text is marked with. */
export const nameOfPrepared = (text: unknown): string | undefined =>
  typeof text === 'string' && text.startsWith('/*') ? MARK.exec(text)?.[1] : undefined

/** Client that has the server parse and plan a statement marked with a name once per connection. */
export class PreparingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values] = args
    const name = nameOfPrepared(text)
    return (super.query as Query).apply(this, name === undefined ? args : [{ name, text, values }])
  }
}
