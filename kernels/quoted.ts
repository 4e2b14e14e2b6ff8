import { bytesLike, letters, strange } from './letters';
import { begin, foldedAt, putLetters, walk } from './scan';

/** The words of a text as it is written in JSON: escapes are passed over where they stand, and nothing is copied. */

const ODD: u64 = 0xaaaaaaaaaaaaaaaa;

/** Whether a byte may stand behind a backslash, and what both mean is no letter. A slash may only where it is said so. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function isEscape(byte: u8, slash: bool): bool {
  return byte == 0x6e || byte == 0x74 || byte == 0x22 || byte == 0x5c || byte == 0x72 || byte == 0x62 || byte == 0x66 || slash && byte == 0x2f;
}

function areEscapes(p: usize, escaped: u64, slash: bool): bool {
  for (; escaped; escaped &= escaped - 1) if (!isEscape(load<u8>(p + usize(ctz(escaped))), slash)) return false;
  return true;
}

/**
 * Reads the text behind an opening quote and answers where its closing one stands; its words are noted and have no number yet. 0 where
 * something before it is out of the ordinary: a byte that is not ASCII, one that no text may hold, or another escape than those above.
 */
export function scanQuoted(at: usize, end: usize, slash: bool): usize {
  begin(end - at);
  let carried: u64 = 0; // whether the first byte of the block stands behind a backslash
  for (let block: usize = 0; at + block < end; block += 64) {
    const p = at + block;
    const own = letters(p, foldedAt() + block);
    // Of the backslashes in a row every second one is itself escaped. Langdale & Lemire 2019, section 3.1.1.
    const slashes = bytesLike(p, 0x5c) & ~carried;
    const behind = (slashes << 1) | carried;
    const sum = (slashes & ODD & ~behind) + slashes;
    carried = u64(sum < slashes);
    const escaped = (~ODD ^ (sum << 1)) & behind;
    const closing = bytesLike(p, 0x22) & ~escaped;
    const before = closing ? (closing & -closing) - 1 : u64(-1);
    if (strange(p) & before || !areEscapes(p, escaped & before, slash)) return 0;
    putLetters(block, own & before & ~escaped);
    if (closing == 0) continue;
    const length = block + usize(ctz(closing));
    if (at + length >= end) return 0;
    walk(0, length);
    return at + length;
  }
  return 0;
}
