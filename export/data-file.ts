import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Returns the path in an export of the file of a partition with this content. */
export const dataFile = ({
  dataset,
  partition,
  sha256,
}: {
  dataset: string
  partition: string
  sha256: string
}): string => `data/${dataset}/${partition}.${sha256.slice(0, 16)}.parquet`

/** Whether a name has the form of `dataFile`. Only such files were certainly made by an export. */
export const isDataFile = (name: string): boolean =>
  /^data\/[a-z_]+\/[0-9a-z.-]+\.[0-9a-f]{16}\.parquet$/.test(name)

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
