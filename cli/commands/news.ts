import { openDb } from '../../db/connect.ts'
import { pickNews } from '../../db/news/pick-news.ts'
import { transact } from '../../db/transact.ts'
import { CommandError } from '../command.ts'
import { operatorEnvironment } from '../operator-environment.ts'

const USAGE = 'sluice news pick|unpick ID   (an id of GET /v1/news)'

/** Puts an article on the handpicked list, or takes it off. */
export async function run(args: string[]): Promise<number> {
  const [action, id] = args
  if ((action !== 'pick' && action !== 'unpick') || id === undefined || args.length > 2)
    throw new CommandError(USAGE)
  const url = operatorEnvironment()['DATABASE_URL']
  if (!url) throw new CommandError('no database: run "npm start" in another terminal, or set DATABASE_URL')
  const { pool, close } = openDb({ url, maxConnections: 1, applicationName: 'sluice-cli' })
  try {
    const at = action === 'pick' ? new Date() : null
    const found = await transact(pool, (transaction) => pickNews(transaction, { id, at }))
    console.log(found ? `${action}ed ${id}` : `there is no article ${id}`)
    return found ? 0 : 1
  } finally {
    await close()
  }
}
