import type { ErrorCode } from '../errors.ts';

/** The first JSON error in a text: position (in UTF-16 units) and message. */
export interface JsonFault {
  readonly at: number;
  readonly code: ErrorCode;
  readonly reason: string;
}

/** Rules beyond the JSON grammar. */
export interface JsonRules {
  /** The maximum nesting of arrays and objects. */
  readonly maxDepth: number;
  /** Whether duplicate keys are errors. */
  readonly uniqueKeys: boolean;
  /** The maximum number of keys of an object, if they are unique. */
  readonly maxKeys?: number;
  /** Whether a number out of range is an error; `JSON.parse` returns infinity. */
  readonly finite?: boolean;
}

/** JSON white space; a line contains no line ends. */
const BLANKS = new Set([' ', '\t', '\n', '\r']);

// The expected next token.
const VALUE = 0;
const FIRST_VALUE = 1; // or the end of the array
const KEY = 2;
const FIRST_KEY = 3; // or the end of the object
const COMMA = 4; // or the end of the open array or object

/**
 * The first error of one line under the grammar of RFC 8259 (2017) and the rules, without recursion; undefined if there
 * is none.
 */
export function findJsonFault(text: string, rules: JsonRules): JsonFault | undefined {
  return new JsonChecker(text, rules).check();
}

class JsonChecker {
  private readonly text: string;
  private readonly rules: JsonRules;
  private readonly open: (Set<string> | undefined)[] = []; // the keys of each open object; undefined for an array
  private at = 0;
  private next = VALUE;
  private fault: JsonFault | undefined;

  constructor(text: string, rules: JsonRules) {
    this.text = text;
    this.rules = rules;
  }

  check(): JsonFault | undefined {
    while (this.fault === undefined) {
      this.blanks();
      if (this.next === COMMA && this.open.length === 0) {
        if (this.at < this.text.length) this.fail('the line continues after its value');
        break;
      }
      if (this.next === COMMA) this.comma();
      else if (this.next === KEY || this.next === FIRST_KEY) this.key();
      else this.value();
    }
    return this.fault;
  }

  private value(): void {
    const first = this.text[this.at];
    if (first === '{') this.begin(new Set(), FIRST_KEY);
    else if (first === '[') this.begin(undefined, FIRST_VALUE);
    else if (first === ']' && this.next === FIRST_VALUE) this.leave();
    else if (first === '"') this.string();
    else if (!this.skip(/true|false|null/y) && !this.number()) this.fail(`a value is expected, not ${this.here()}`);
    else this.next = COMMA;
  }

  private begin(keys: Set<string> | undefined, next: number): void {
    if (this.open.length === this.rules.maxDepth) {
      this.fail(`more than ${this.rules.maxDepth} arrays and objects are nested here`, 'E_LIMIT');
    }
    this.open.push(keys);
    this.at++;
    this.next = next;
  }

  private leave(): void {
    this.open.pop();
    this.at++;
    this.next = COMMA;
  }

  private comma(): void {
    const keys = this.open[this.open.length - 1];
    const end = keys === undefined ? ']' : '}';
    if (this.text[this.at] === end) this.leave();
    else if (this.text[this.at] !== ',') this.fail(`a comma or ${end} is expected, not ${this.here()}`);
    else {
      this.at++;
      this.next = keys === undefined ? VALUE : KEY;
    }
  }

  private key(): void {
    const start = this.at;
    if (this.text[start] === '}' && this.next === FIRST_KEY) this.leave();
    else if (this.text[start] !== '"') this.fail(`a key in quotes is expected, not ${this.here()}`);
    else if (this.string()) {
      if (this.rules.uniqueKeys) this.remember(start);
      this.blanks();
      if (this.text[this.at] !== ':') this.fail(`a colon is expected, not ${this.here()}`);
      this.at++;
      this.next = VALUE;
    }
  }

  private remember(start: number): void {
    const keys = this.open[this.open.length - 1]!;
    const key: string = JSON.parse(this.text.slice(start, this.at));
    if (keys.has(key)) this.fail('the object has this key twice', 'E_FEATURE_DUPLICATE', start);
    keys.add(key);
    const { maxKeys = Infinity } = this.rules;
    if (keys.size > maxKeys) this.fail(`the object has more than ${maxKeys} keys`, 'E_LIMIT', start);
  }

  private string(): boolean {
    const { text } = this;
    const start = this.at;
    this.next = COMMA;
    for (let at = start + 1; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) {
        this.at = at + 1;
        return true;
      }
      if (unit === 0x5c && (text.charCodeAt(at + 1) === 0x22 || text.charCodeAt(at + 1) === 0x5c)) at++;
      else if (unit === 0x5c || unit < 0x20) {
        this.at = at;
        if (unit === 0x5c && !this.escape()) return false;
        if (unit < 0x20) {
          this.fail('a control character inside a string is written as an escape');
          return false;
        }
        ({ at } = this);
      }
    }
    this.at = text.length;
    this.fail('the string opened here never closes', 'E_FORMAT', start);
    return false;
  }

  /** Steps to the last character of an escape; a surrogate pair is one escape. */
  private escape(): boolean {
    const start = this.at;
    if (this.skip(/\\["\\/bfnrt]/y) || this.skip(/\\u(?!d[89a-f])[\da-f]{4}/iy) || this.skip(PAIR)) {
      this.at--;
      return true;
    }
    const half = this.skip(/\\u[\da-f]{4}/iy);
    if (half) this.fail('a lone surrogate is not a character', 'E_UNICODE', start);
    else this.fail('a backslash begins no valid JSON escape');
    return false;
  }

  private number(): boolean {
    const start = this.at;
    if (!this.skip(/-?(?:0|[1-9])/y)) return false;
    if (this.text[this.at - 1] !== '0') this.digits();
    if (this.skip(/\.(?=\d)/y)) this.digits();
    if (this.skip(/e[+-]?(?=\d)/iy)) this.digits();
    if (this.rules.finite && !Number.isFinite(Number(this.text.slice(start, this.at)))) {
      this.fail('the number is too large', 'E_NOT_FINITE', start);
    }
    return true;
  }

  // Loops instead of patterns for long runs: a starred pattern may remember every character.
  private blanks(): void {
    while (BLANKS.has(this.text[this.at])) this.at++;
  }

  private digits(): void {
    while (this.text.charCodeAt(this.at) >= 0x30 && this.text.charCodeAt(this.at) <= 0x39) this.at++;
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.test(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private fail(reason: string, code: ErrorCode = 'E_FORMAT', at = this.at): void {
    this.fault ??= { at, code, reason };
  }

  private here(): string {
    return this.at < this.text.length
      ? JSON.stringify(String.fromCodePoint(this.text.codePointAt(this.at)!))
      : 'the end';
  }
}

const PAIR = /\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/iy;
