const MOST_PROBLEMS = 20

/** Prints why a file was not imported. */
export function showProblems(problems: readonly string[]): void {
  for (const problem of problems.slice(0, MOST_PROBLEMS)) console.error(problem)
  if (problems.length > MOST_PROBLEMS) console.error(`and ${problems.length - MOST_PROBLEMS} more`)
  console.error('nothing was imported')
}
