import { pickNews } from '../../db/news/pick-news.ts'
import { transact } from '../../db/transact.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import type { NEWS } from '../specs/data.ts'

/** Adds an article to the handpicked list, or removes it. */
export async function run({ action, id }: Given<typeof NEWS>): Promise<number> {
  const at = action === 'pick' ? new Date() : null
  const found = await withOperatorDatabase((_, pool) =>
    transact(pool, (transaction) => pickNews(transaction, { id, at })),
  )
  console.log(found ? `${action}ed ${id}` : `there is no article ${id}`)
  return found ? 0 : 1
}
