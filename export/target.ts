/** Where an export is kept. The names of files are paths in it, with slashes. */
export interface Target {
  /** A file is found at this, a slash and its name: by people, and by the views of the catalog. */
  root: string
  /** Runs `work` with a folder of this machine for what is not published yet, and clears it. */
  withStaging: <T>(work: (staging: string) => Promise<T>) => Promise<T>
  /** Rejects with what stands in the way of an export. What may be written in a store shows when it is: it has to answer. */
  check: () => Promise<void>
  /** Null: there is none. */
  readText: (name: string) => Promise<string | null>
  /** Bytes of all data files that are there, published or not, by name. */
  listData: () => Promise<Map<string, number>>
  /** Gives a finished file its name, in place of what has it: there is always the old one or the new one, whole. */
  put: (path: string, name: string) => Promise<void>
  remove: (name: string) => Promise<void>
  /** A folder of this machine that has these files by their names: its own, or `folder` with copies of those that are there. */
  localCopy: (names: readonly string[], folder: string) => Promise<string>
}
