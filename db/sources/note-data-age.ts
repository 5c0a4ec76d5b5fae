import type { Db } from '../schema.ts'

/** Notes how old the newest data of an answer is. A source may answer at once with what it knew hours ago. */
export async function noteDataAge(
  db: Db,
  { source, times, now }: { source: string; times: readonly Date[]; now: Date },
): Promise<void> {
  if (times.length === 0) return
  const newestMs = times.reduce((newest, at) => Math.max(newest, at.getTime()), -Infinity)
  await db
    .updateTable('source_states')
    .set({ data_age_s: Math.max(0, (now.getTime() - newestMs) / 1_000) })
    .where('source', '=', source)
    .execute()
}
