/** Where an export is stored. File names are paths within it, with slashes. */
export interface Target {
  /** A file is at `root/name`, for people and for the views of the catalog. */
  root: string
  /** Runs `work` with a local folder for unpublished files, and deletes it afterwards. */
  withStaging: <T>(work: (staging: string) => Promise<T>) => Promise<T>
  /**
   * Rejects with the reason why exporting is impossible. A store only has to answer: write access shows when
   * writing.
   */
  check: () => Promise<void>
  /** null: there is no such file. */
  readText: (name: string) => Promise<string | null>
  /** Bytes of all existing data files by name, published or not. */
  listData: () => Promise<Map<string, number>>
  /** Stores a finished file under its name, atomically: readers see the old or the new file, complete. */
  put: (path: string, name: string) => Promise<void>
  remove: (name: string) => Promise<void>
  /**
   * Returns a local folder with these files: the target's own, or `folder` with copies of those that exist.
   */
  localCopy: (names: readonly string[], folder: string) => Promise<string>
}
