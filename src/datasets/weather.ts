import { cellsOf, type Dataset, datasetOf } from './dataset.ts';

const days = `sunny,hot,high,no,no
sunny,hot,high,yes,no
overcast,hot,high,no,yes
rainy,mild,high,no,yes
rainy,cool,normal,no,yes
rainy,cool,normal,yes,no
overcast,cool,normal,yes,yes
sunny,mild,high,no,no
sunny,cool,normal,no,yes
rainy,mild,normal,no,yes
sunny,mild,normal,yes,yes
overcast,mild,high,yes,yes
overcast,hot,normal,no,yes
rainy,mild,high,yes,no`;

type WeatherRow = { outlook: string; temperature: string; humidity: string; windy: string; play: 'yes' | 'no' };

/** Fourteen mornings, and whether one played outside: the table on which trees and naive Bayes are explained. */
export function loadWeather(): Dataset<WeatherRow, 'play'> {
  const card = {
    name: 'weather',
    title: 'Fourteen mornings, play or not',
    columns: ['outlook', 'temperature', 'humidity', 'windy', 'play'],
    target: 'play' as const,
    description: 'Outlook, temperature, humidity and wind of fourteen mornings; nine of them were good for playing.',
    source: 'J. R. Quinlan, Induction of Decision Trees, Machine Learning 1 (1986), table 1',
    license: 'factual data from a textbook example, free to redistribute',
  };
  return datasetOf(card, cellsOf(days), [{ outlook: 'sunny', temperature: 'cool', humidity: 'high', windy: 'yes' }]);
}
