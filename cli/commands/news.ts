import { pickNews } from '../../db/news/pick-news.ts'
import { transact } from '../../db/transact.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printDone } from '../print.ts'
import type { NEWS } from '../specs/data.ts'

/** Adds an article to the handpicked list, or removes it. */
export async function run(given: Given<typeof NEWS>): Promise<number> {
  const { action, id } = given
  const at = action === 'pick' ? new Date() : null
  const found = await withOperatorDatabase((_, pool) =>
    transact(pool, (transaction) => pickNews(transaction, { id, at })),
  )
  printDone(
    { id, found, picked: found && action === 'pick' },
    found ? `${action}ed ${id}` : `there is no article ${id}`,
    given,
  )
  return found ? 0 : 1
}
