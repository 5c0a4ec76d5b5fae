/** Times in an answer that are those of its call, not of its figures. */
interface Times {
  /** Of `lastSyncedAt`; null: it has none. */
  asOf: Date | null
  /** The instant of the call and those that follow from it, in milliseconds. */
  instants: readonly number[]
}

/** Where the texts of `Times` are, each with its place in their list. */
export type Stamps = readonly { offset: number; text: number }[]

/** The texts have the same lengths at all times. */
const textsOf = ({ asOf, instants }: Times): string[] => [
  ...(asOf ? [`"lastSyncedAt":"${asOf.toISOString()}"`] : []),
  ...instants.flatMap((ms) => [`"${new Date(ms).toISOString()}"`, `[${ms},`]),
]

/** Finds the times in the JSON of an answer. */
export function stampsIn(bytes: Buffer, times: Times): Stamps {
  return textsOf(times).flatMap((text, index) => {
    const offsets: { offset: number; text: number }[] = []
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
      offsets.push({ offset: at, text: index })
    return offsets
  })
}

/** The JSON with other times. */
export function stamp(bytes: Buffer, stamps: Stamps, times: Times): Buffer {
  if (stamps.length === 0) return bytes
  const texts = textsOf(times)
  const stamped = Buffer.from(bytes)
  for (const { offset, text } of stamps) stamped.write(texts[text]!, offset, 'latin1')
  return stamped
}
