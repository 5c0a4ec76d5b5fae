import type { AlertType } from '../../db/events/event-types.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { notFound } from '../errors.ts'

interface Subject {
  type: AlertType
  subject: string
}

/** Throws 404 unless what an alert is about exists. */
export async function checkSubject(db: ReadonlyDb, { subject }: Subject): Promise<void> {
  if (!(await readCurrentPrice(db, subject))) throw notFound(`Coin with id '${subject}' not found`)
}
