/** Teams by league: the city, by which Kalshi calls them, and the name. */
const LEAGUES = {
  nba: 'Atlanta Hawks,Boston Celtics,Brooklyn Nets,Charlotte Hornets,Chicago Bulls,Cleveland Cavaliers,Dallas Mavericks,Denver Nuggets,Detroit Pistons,Golden State Warriors,Houston Rockets,Indiana Pacers,Los Angeles Clippers,Los Angeles Lakers,Memphis Grizzlies,Miami Heat,Milwaukee Bucks,Minnesota Timberwolves,New Orleans Pelicans,New York Knicks,Oklahoma City Thunder,Orlando Magic,Philadelphia 76ers,Phoenix Suns,Portland Trail Blazers,Sacramento Kings,San Antonio Spurs,Toronto Raptors,Utah Jazz,Washington Wizards',
  nfl: 'Arizona Cardinals,Atlanta Falcons,Baltimore Ravens,Buffalo Bills,Carolina Panthers,Chicago Bears,Cincinnati Bengals,Cleveland Browns,Dallas Cowboys,Denver Broncos,Detroit Lions,Green Bay Packers,Houston Texans,Indianapolis Colts,Jacksonville Jaguars,Kansas City Chiefs,Las Vegas Raiders,Los Angeles Chargers,Los Angeles Rams,Miami Dolphins,Minnesota Vikings,New England Patriots,New Orleans Saints,New York Giants,New York Jets,Philadelphia Eagles,Pittsburgh Steelers,San Francisco 49ers,Seattle Seahawks,Tampa Bay Buccaneers,Tennessee Titans,Washington Commanders',
  mlb: 'Arizona Diamondbacks,Atlanta Braves,Baltimore Orioles,Boston Red Sox,Chicago Cubs,Chicago White Sox,Cincinnati Reds,Cleveland Guardians,Colorado Rockies,Detroit Tigers,Houston Astros,Kansas City Royals,Los Angeles Angels,Los Angeles Dodgers,Miami Marlins,Milwaukee Brewers,Minnesota Twins,New York Mets,New York Yankees,Oakland Athletics,Philadelphia Phillies,Pittsburgh Pirates,San Diego Padres,San Francisco Giants,Seattle Mariners,St. Louis Cardinals,Tampa Bay Rays,Texas Rangers,Toronto Blue Jays,Washington Nationals',
  nhl: 'Anaheim Ducks,Boston Bruins,Buffalo Sabres,Calgary Flames,Carolina Hurricanes,Chicago Blackhawks,Colorado Avalanche,Columbus Blue Jackets,Dallas Stars,Detroit Red Wings,Edmonton Oilers,Florida Panthers,Los Angeles Kings,Minnesota Wild,Montreal Canadiens,Nashville Predators,New Jersey Devils,New York Islanders,New York Rangers,Ottawa Senators,Philadelphia Flyers,Pittsburgh Penguins,San Jose Sharks,Seattle Kraken,St. Louis Blues,Tampa Bay Lightning,Toronto Maple Leafs,Utah Mammoth,Vancouver Canucks,Vegas Golden Knights,Washington Capitals,Winnipeg Jets',
} as const
export type League = keyof typeof LEAGUES

/** Splits city and name. A name is one word, or two if the first is one of these. */
const LONG_NAMES = /^(.+?) ((?:Trail|Red|White|Blue|Maple|Golden) .+|\S+)$/

const SIGNS: [League, RegExp][] = [
  ['nba', /\bNBA\b|\b(?:pro|professional) basketball\b/i],
  ['nfl', /\bNFL\b|\b(?:pro|professional) football\b|\bSuper Bowl\b/i],
  ['mlb', /\bMLB\b|\b(?:pro|professional) baseball\b|\bWorld Series\b/i],
  ['nhl', /\bNHL\b|\b(?:pro|professional) hockey\b|\bStanley Cup\b/i],
]

/** The league that a text is about; null: none is named. */
export const leagueOf = (text: string): League | null =>
  SIGNS.find(([, sign]) => sign.test(text))?.[0] ?? null

interface Names {
  /** matches any name, the longest first */
  pattern: RegExp
  teams: Map<string, string>
}

/** Ways to name each team of a league: full name, name, city with initials, city alone. */
function namesOf(league: League): Names {
  const teams = LEAGUES[league].split(',').map((full) => {
    const [, city, name] = LONG_NAMES.exec(full)!
    return { full, city: city!, name: name! }
  })
  const names = teams.flatMap(({ full, city, name }): [alias: string, team: string][] => {
    const initials = name
      .split(' ')
      .map((word) => word[0])
      .join('')
    const alone = teams.filter((team) => team.city === city).length === 1
    const team = `@${league}-${name.toLowerCase().replaceAll(' ', '-')}`
    const short = city.replace('Los Angeles', 'LA')
    const aliases = [full, `${short} ${name}`, name, `${city} ${initials}`, ...(alone ? [city] : [])]
    return aliases.map((alias) => [alias, team])
  })
  const longest = names.map(([alias]) => alias).toSorted((a, b) => b.length - a.length)
  return {
    pattern: new RegExp(`\\b(?:${longest.join('|').replaceAll('.', '\\.')})\\b`, 'g'),
    teams: new Map(names),
  }
}

const NAMES = Object.fromEntries(
  (Object.keys(LEAGUES) as League[]).map((league) => [league, namesOf(league)]),
) as Record<League, Names>

/** The text with one name for each team of the league. */
export function nameTeams(text: string, league: League | null): string {
  if (league === null) return text
  const { pattern, teams } = NAMES[league]
  return text.replace(pattern, (alias) => teams.get(alias)!)
}
