import { resolve } from 'node:path'
import type pg from 'pg'
import { accept, type Known } from '../activities/drift/look.ts'
import { type Fixture, writeFixture } from '../activities/record-fixture.ts'
import { changeInWords, readSourceChanges, type SourceChange } from '../db/console/read-changes.ts'
import type { Db } from '../db/schema.ts'
import { changedOperations, changeShape, readKeptAnswers } from '../db/sources/shapes.ts'
import { CommandError, UsageError } from './command.ts'
import type { GivenOf } from './command-spec.ts'
import { walletHider } from './hide-wallets.ts'
import { printRecord, printRows } from './print.ts'
import type { SOURCES } from './specs/sources.ts'

type Spec = typeof SOURCES

/** A change as a row of a table. */
export const changeLine = (one: SourceChange): Record<string, string | number | Date> => ({
  source: one.source,
  operation: one.operation,
  field: one.field,
  change: changeInWords(one),
  answers: one.answers,
  since: one.since,
})

/** Lists the changes of all sources or of one, or writes the answers that showed them as recordings. */
export async function showDrift(db: Db, given: GivenOf<Spec, 'drift'>): Promise<void> {
  if (given.save !== undefined) return saveAnswers(db, given)
  const changes = await readSourceChanges(db, given.source)
  printRows(given.json ? changes : changes.map(changeLine), given)
}

async function saveAnswers(db: Db, given: GivenOf<Spec, 'drift'>): Promise<void> {
  const { source, save } = given
  if (source === undefined) throw new UsageError('--save needs a SOURCE')
  const kept = await readKeptAnswers(db, source)
  if (kept.length === 0) throw new CommandError(`no answer of ${source} is kept; see "sluice sources drift"`)
  const hide = given['hide-wallets'] ? await walletHider(db) : (text: string) => text
  const files: string[] = []
  for (const { answer } of kept)
    files.push(await writeFixture(resolve(save!), JSON.parse(hide(JSON.stringify(answer))) as Fixture))
  if (given.json) printRecord({ source, files }, given)
  else for (const file of files) console.log(file)
}

/** Makes the changes of a source part of what is expected of it. */
export async function acceptDrift(db: Db, pool: pg.Pool, given: GivenOf<Spec, 'accept'>): Promise<void> {
  const { source } = given
  const operations = await changedOperations(db, source)
  let accepted = 0
  for (const operation of operations)
    await changeShape<Known>(pool, { source, operation }, (known) => {
      if (known === null) return null
      accepted += known.changes.length
      return { known: accept(known), answer: null }
    })
  if (given.json) return printRecord({ source, operations: operations.length, accepted }, given)
  if (accepted === 0)
    throw new CommandError(`the answers of ${source} have no changes; see "sluice sources drift"`)
  console.log(`accepted ${accepted} changes of ${operations.length} operations of ${source}`)
}
