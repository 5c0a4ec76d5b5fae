import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files of `workflow` take the longest, those of `unit` next to nothing: they fill what is left at the end. */
const PROJECTS = ['workflow', 'browser', 'db', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
