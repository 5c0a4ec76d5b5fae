/** Activities that note what they are asked, and answer as a test says. `names`: separated by white space. */
export function askedActivities(names: string) {
  const asked: { name: string; input: any }[] = []
  const answers = new Map<string, readonly unknown[]>()
  const inputsOf = (name: string): any[] => asked.filter((one) => one.name === name).map(({ input }) => input)
  const activities = Object.fromEntries(
    names.split(/\s+/).map((name) => [
      name,
      async (input: unknown) => {
        asked.push({ name, input })
        const known = answers.get(name) ?? [null]
        const answer = known[Math.min(inputsOf(name).length, known.length) - 1]
        if (answer instanceof Error) throw answer
        return await answer
      },
    ]),
  )
  return {
    activities,
    inputsOf,
    namesAsked: () => asked.map(({ name }) => name),
    /** Forgets what was asked. From now on each activity gives its answers in turn, then the last again; others null. */
    answer: (byName: Readonly<Record<string, readonly unknown[]>>): void => {
      asked.length = 0
      answers.clear()
      for (const [name, all] of Object.entries(byName)) answers.set(name, all)
    },
  }
}
