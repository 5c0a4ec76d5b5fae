import { existsSync, readdirSync } from 'node:fs'

/** It has a folder for each area, and in that one for each kind of SQL that the area has. */
export const SQL = new URL('./', import.meta.url)

type Kind = 'migrations' | 'functions' | 'views' | 'triggers'

export interface SqlFile {
  /** Without folder and ending. */
  name: string
  url: URL
}

/** The .sql files of a kind, of all areas, in the order of their names. */
export function sqlFiles(kind: Kind, folder = SQL): SqlFile[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((area) => area.isDirectory())
    .map((area) => new URL(`${area.name}/${kind}/`, folder))
    .filter((inArea) => existsSync(inArea))
    .flatMap((inArea) =>
      readdirSync(inArea)
        .filter((file) => file.endsWith('.sql'))
        .map((file) => ({ name: file.slice(0, -4), url: new URL(file, inArea) })),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
