import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ham = ['see you at', 'lunch is at', 'meet me near', 'the train leaves', 'home before'];
const spam = ['win a free prize', 'call now to claim', 'urgent cash offer', 'free entry today', 'you have won cash'];
const ends = ['noon', 'tomorrow', 'seven', 'the office', 'once', 'the station'];

/** Short messages, made so that every one is different and the classes differ, but not by one word. */
export function messages(rows: number): { readonly id: number; readonly label: string; readonly text: string }[] {
  return Array.from({ length: rows }, (_, i) => {
    const isSpam = i % 3 === 0;
    const start = (isSpam ? spam : ham)[i % 5];
    return {
      id: i + 1,
      label: isSpam ? 'spam' : 'ham',
      text: `${start} ${ends[i % 6]} ${i % 11 === 0 ? 'free' : 'please'} ${100 + i}`,
    };
  });
}

/** The messages as CSV. */
export const asCsv = (rows: readonly { id: number; label: string; text: string }[]): string =>
  `id,label,text\n${rows.map(({ id, label, text }) => `${id},${label},${text}`).join('\n')}\n`;

/** Writes sms.csv with 150 messages and more.csv with 60 others. */
export function writeMessages(folder: string): void {
  const all = messages(210);
  writeFileSync(join(folder, 'sms.csv'), asCsv(all.slice(0, 150)));
  writeFileSync(join(folder, 'more.csv'), asCsv(all.slice(150)));
}
