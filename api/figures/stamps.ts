/** Times in an answer that are those of its call, not of its figures. */
interface Times {
  /** Of `lastSyncedAt`; null: it has none. */
  asOf: Date | null
  /** The instant of the call and those that follow from it, in milliseconds. */
  instants: readonly number[]
}

/** Where the texts of `Times` are, each with its number: see textAt. */
export type Stamps = readonly { offset: number; text: number }[]

/** Text 0 is that of `lastSyncedAt`, and each instant has the next two. A text has the same length at all times. */
function textAt({ asOf, instants }: Times, text: number): string {
  if (text === 0) return `"lastSyncedAt":"${asOf!.toISOString()}"`
  const ms = instants[(text - 1) >> 1]!
  return text % 2 === 1 ? `"${new Date(ms).toISOString()}"` : `[${ms},`
}

/** Finds the times in the JSON of an answer. */
export function stampsIn(bytes: Buffer, times: Times): Stamps {
  const offsets: { offset: number; text: number }[] = []
  for (let text = times.asOf ? 0 : 1; text <= 2 * times.instants.length; text++) {
    const searched = textAt(times, text)
    for (let at = bytes.indexOf(searched); at >= 0; at = bytes.indexOf(searched, at + 1))
      offsets.push({ offset: at, text })
  }
  return offsets
}

/** The JSON with other times. */
export function stamp(bytes: Buffer, stamps: Stamps, times: Times): Buffer {
  if (stamps.length === 0) return bytes
  const texts: string[] = []
  const stamped = Buffer.from(bytes)
  for (const { offset, text } of stamps) {
    texts[text] ??= textAt(times, text)
    stamped.write(texts[text], offset, 'latin1')
  }
  return stamped
}
