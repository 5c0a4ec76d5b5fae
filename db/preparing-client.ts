import pg from 'pg'

const MARK = /^\s*\/\* prepared: (\S+) \*\//

type Query = (...args: unknown[]) => never

/** The name in the mark with which a prepared statement begins. */
export const nameOfPrepared = (text: unknown): string | undefined =>
  typeof text === 'string' ? MARK.exec(text)?.[1] : undefined

/** Client that sends statements marked with a name as prepared statements, parsed once per connection. */
export class PreparingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values] = args
    const name = nameOfPrepared(text)
    return (super.query as Query).apply(this, name === undefined ? args : [{ name, text, values }])
  }
}
