import { sql } from 'kysely'
import { readSql } from '../../db/read-sql.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { inTime } from './in-time.ts'
import type { Temporal } from './temporal.ts'

/** Something that this process asks. */
export interface PartState {
  name: string
  answers: boolean
}

/** Asks every part, and waits for none of them longer than a page may. */
export async function readParts(deps: {
  db: ReadonlyDb
  served: ReadonlyDb
  replica?: ReadonlyDb
  temporal: Temporal | null
}): Promise<PartState[]> {
  const answersOf = (db: ReadonlyDb) =>
    inTime(
      readSql(db, sql`select 1`).then(
        () => true,
        () => false,
      ),
    )
  const asked: [string, Promise<boolean | undefined>][] = [
    ['Database of the console', answersOf(deps.db)],
    ['Database of the API', answersOf(deps.served)],
    ...(deps.replica ? [['Replica', answersOf(deps.replica)] as [string, Promise<boolean | undefined>]] : []),
    ...(deps.temporal
      ? [
          ['Temporal', deps.temporal.read().then((state) => state !== null)] as [
            string,
            Promise<boolean | undefined>,
          ],
        ]
      : []),
  ]
  return Promise.all(asked.map(async ([name, answer]) => ({ name, answers: (await answer) === true })))
}
