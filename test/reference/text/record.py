"""What scikit-learn 1.9.1 does with text, for src/text and its estimators.

Recipe, in a virtual environment: pip install scikit-learn==1.9.1 && python3 record.py [data folder]
Writes unicode.json and sklearn.json beside this file, and parity.json where the folder with the data sets is given.
Python 3.11 knows Unicode 14; what was assigned later is listed in unicode.json and left out of comparisons.
"""
import gzip
import hashlib
import json
import sys
import unicodedata
from pathlib import Path

import numpy as np
import sklearn
from sklearn.feature_extraction.text import (ENGLISH_STOP_WORDS, CountVectorizer, HashingVectorizer, TfidfTransformer,
                                             TfidfVectorizer, strip_accents_ascii, strip_accents_unicode)
from sklearn.utils import murmurhash3_32

assert sklearn.__version__ == '1.9.1'
here = Path(__file__).parent


def write(name, value):
    text = json.dumps(value, ensure_ascii=True, separators=(',', ':'))
    (here / name).write_text(text.replace('],"', '],\n"').replace('},{', '},\n{') + '\n')


def ranges(holds):
    """Code points as [first, last, first, last, …]."""
    found = []
    for c in range(0x110000):
        if 0xD800 <= c < 0xE000 or not holds(chr(c)):
            continue
        if found and found[-1] == c - 1:
            found[-1] = c
        else:
            found += [c, c]
    return found


def digest(parts):
    sha = hashlib.sha256()
    for part in parts:
        sha.update(part)
    return sha.hexdigest()


def each(function):
    """One hash over what a function makes of every assigned code point."""
    points = (chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    return digest((function(c) + '\n').encode() for c in points if unicodedata.category(c) != 'Cn')


write('unicode.json', {
    'python': sys.version.split()[0], 'unicode': unicodedata.unidata_version,
    'unassigned': ranges(lambda c: unicodedata.category(c) == 'Cn'),
    'word': ranges(lambda c: c.isalnum() or c == '_'),
    'space': ranges(str.isspace),
    'combining': ranges(lambda c: unicodedata.combining(c) != 0),
    'lower': each(str.lower), 'unicodeStripped': each(strip_accents_unicode), 'asciiStripped': each(strip_accents_ascii),
})

texts = [
    'This is the first document.', 'a bc  def', 'Ein großes Straßenfest in Köln – schöne Grüße!', '', '  ', 'x',
    'İstanbul IŞIK ısı', 'ΟΔΥΣΣΕΥΣ ὈΔΥΣΣΕΎΣ Σ Α\'Σ ΑΣ.Α', 'naïve café Cafe\u0301 ﬁne Ｆｕｌｌ－ｗｉｄｔｈ １２３ ½ ² Ⅷ',
    '我来到北京清华大学 日本語のテキスト', 'हिन्दी में लिखना', 'snake_case __init__ a_b 3.14 1,000 e-mail user@example.com',
    'tab\tand\nnew\r\nline\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u2003\u3000end\ufeffbom\u200bzero', 'emoji 😀😀 𝒜𝓁𝓅𝒽𝒶 𐐀𐐁 a𐐀',
    "don't stop; it's 'quoted' __proto__ constructor toString", 'the and of to in', 'À l’été, où çà? Ça ira: œuvre Ægir ŁÓDŹ',
]
options = [
    {}, {'lowercase': False}, {'strip_accents': 'unicode'}, {'strip_accents': 'ascii'}, {'stop_words': 'english'},
    {'ngram_range': (1, 3)}, {'ngram_range': (2, 2), 'stop_words': ['the', 'first']}, {'analyzer': 'char', 'ngram_range': (1, 3)},
    {'analyzer': 'char', 'ngram_range': (3, 3), 'lowercase': False}, {'analyzer': 'char_wb', 'ngram_range': (2, 3)},
    {'analyzer': 'char_wb', 'ngram_range': (1, 5)}, {'analyzer': 'char_wb', 'ngram_range': (4, 4), 'strip_accents': 'unicode'},
    {'token_pattern': r'(?u)\b\w+\b'}, {'token_pattern': r'\w(\w+)'}, {'token_pattern': r"[a-z]+(?:'[a-z]+)?"}, {'token_pattern': r'\S+'},
    {'token_pattern': r'(?u)\b[^\W\d_]{2,}\b'.replace('[^\\W\\d_]', r'[a-z\-]')}, {'token_pattern': r'[a-z]{,3}\d*'},
]
camel = {'strip_accents': 'stripAccents', 'stop_words': 'stopWords', 'ngram_range': 'ngramRange', 'token_pattern': 'tokenPattern',
         'min_df': 'minDf', 'max_df': 'maxDf', 'max_features': 'maxFeatures', 'n_features': 'nFeatures', 'use_idf': 'useIdf',
         'alternate_sign': 'alternateSign', 'smooth_idf': 'smoothIdf', 'sublinear_tf': 'sublinearTf'}


def js(opts):
    """Options in the spelling of JavaScript, where 1.0 and 1 are one number."""
    out = {camel.get(k, k): v for k, v in opts.items()}
    for k in ('minDf', 'maxDf'):
        if k in out:
            out[k] = {'share': out[k]} if isinstance(out[k], float) else {'documents': out[k]}
    return out


def rows(X):
    X = X.tocsr()
    X.sort_indices()
    return {'shape': list(X.shape), 'indptr': X.indptr.tolist(), 'indices': X.indices.tolist(), 'data': X.data.tolist()}


corpus = ['This is the first document.', 'This document is the second document.', 'And this is the third one.',
          'Is this the first document?']
many = [t for t in texts if t.strip()] + corpus
prunings = [{'min_df': 2}, {'min_df': 0.5}, {'max_df': 0.5}, {'max_df': 2}, {'min_df': 1.0}, {'max_features': 4}, {'max_df': 1},
            {'min_df': 2, 'max_df': 3, 'ngram_range': (1, 2)}, {'max_features': 3, 'binary': True}, {'min_df': 0.3, 'max_df': 0.8}]
weights = [{}, {'norm': 'l1'}, {'norm': None}, {'use_idf': False}, {'smooth_idf': False}, {'sublinear_tf': True},
           {'sublinear_tf': True, 'norm': None, 'smooth_idf': False}, {'use_idf': False, 'norm': 'l1'}]
hashings = [{}, {'n_features': 16}, {'n_features': 7, 'alternate_sign': False, 'norm': None}, {'n_features': 5, 'norm': 'l1'},
            {'n_features': 3, 'norm': None}, {'n_features': 4, 'binary': True, 'norm': None}, {'ngram_range': (1, 2), 'n_features': 31},
            {'analyzer': 'char_wb', 'ngram_range': (2, 4), 'n_features': 1021, 'norm': None}]
terms = ['this', 'is', 'the', 'first', 'document', '', 'a', 'ab', 'abc', 'abcd', 'abcde', 'straße', '北京', '😀', 'new york', '__proto__']

write('sklearn.json', {
    'sklearn': sklearn.__version__,
    'english': sorted(ENGLISH_STOP_WORDS),
    'texts': texts, 'corpus': corpus,
    'tokens': [{'options': js(o), 'tokens': [list(CountVectorizer(**o).build_analyzer()(t)) for t in texts]} for o in options],
    'pruned': [{'options': js(o), 'names': v.get_feature_names_out().tolist(), 'X': rows(X)}
               for o in prunings for v in [CountVectorizer(**o)] for X in [v.fit_transform(corpus)]],
    'counts': [{'options': js(o), 'names': v.get_feature_names_out().tolist(), 'X': rows(X)}
               for o in options[:12] for v in [CountVectorizer(**o)] for X in [v.fit_transform(many)]],
    'murmur': [[t, int(murmurhash3_32(t, seed=0))] for t in terms],
    'hashed': [{'options': js(o), 'X': rows(HashingVectorizer(**o).transform(many))} for o in hashings],
    'tfidf': [{'options': js(o), 'X': rows(v.fit_transform(corpus)), 'idf': v.idf_.tolist() if v.use_idf else None,
               'T': rows(TfidfTransformer(**o).fit_transform(CountVectorizer().fit_transform(corpus)))}
              for o in weights for v in [TfidfVectorizer(**o)]],
})

sets = ['20news-bydate', 'sms-spam', 'r8', 'ag-news']
recipes = [{}, {'binary': True, 'stop_words': 'english', 'lowercase': False},
           {'ngram_range': (1, 2), 'min_df': 2, 'strip_accents': 'unicode'}, {'token_pattern': r"(?u)\b\w+(?:'\w+)?\b", 'max_df': 0.5}]
small = [{'analyzer': 'char', 'ngram_range': (2, 4)}, {'analyzer': 'char_wb', 'ngram_range': (3, 5), 'min_df': 3}]

if len(sys.argv) > 1:
    found = []
    for name in sets:
        with gzip.open(Path(sys.argv[1]) / f'{name}.jsonl.gz', 'rt', encoding='utf-8') as lines:
            documents = [json.loads(line)['text'] for line in lines]
        for o in recipes + (small if name == 'sms-spam' else []):
            v = CountVectorizer(**o)
            X = v.fit_transform(documents)
            X.sort_indices()
            arrays = [X.indptr.astype('<u4'), X.indices.astype('<u4'), X.data.astype('<f8')]
            found.append({'set': name, 'options': js(o), 'rows': X.shape[0], 'cols': X.shape[1], 'stored': int(X.nnz),
                          'vocabulary': digest(t.encode() + b'\0' for t in v.get_feature_names_out()),
                          'counts': digest(a.tobytes() for a in arrays)})
            print(found[-1])
    write('parity.json', {'sklearn': sklearn.__version__, 'sets': found})
