"""What scikit-learn strips from newsgroup posts, and what Python reads from a mailbox, for src/node and src/data.

Recipe, in a virtual environment: pip install scikit-learn==1.9.1 && python3 record.py
Writes newsgroups.json and mail.json beside this file.
"""
import base64
import email
import email.policy
import itertools
import json
import mailbox
import random
import sys
import tempfile
from email.header import Header
from email.message import EmailMessage
from email.mime.text import MIMEText
from pathlib import Path

import sklearn
from sklearn.datasets._twenty_newsgroups import (strip_newsgroup_footer, strip_newsgroup_header, strip_newsgroup_quoting)

assert sklearn.__version__ == '1.9.1'
here = Path(__file__).parent


def write(name, value):
    (here / name).write_text(json.dumps(value, ensure_ascii=True, indent=1) + '\n')


def strip(text, remove):
    """The order of fetch_20newsgroups."""
    if 'headers' in remove:
        text = strip_newsgroup_header(text)
    if 'footers' in remove:
        text = strip_newsgroup_footer(text)
    if 'quotes' in remove:
        text = strip_newsgroup_quoting(text)
    return text


def posts():
    """Posts made of the lines on which the three rules turn, in random order, and a few by hand."""
    lines = ['From: a@example.org', 'Subject: x', '', '', ' ', '--', '---', '- -', ' -- ', '> quoted', '>', '| bar', ' > not',
             'In article <1@x> b writes:', 'In article', 'he In article', 'Quoted from y', 'she wrote: so', 'he said: no',
             'it says: yes', 'z writes in w', 'plain words', 'more plain words', '\t', '\x1c', '\x85', '\xa0', '\r', 'a\rb', '-a-',
             'caf\xe9', '\x0b', '\x1f--\x1f']
    rng = random.Random(20)
    made = ['\n'.join(rng.choices(lines, k=rng.randrange(1, 14))) for _ in range(300)]
    return ['', '\n', '\n\n', 'no header', 'a\n\nb', 'a\n\n\n\nb', '--', '\n--\nx', 'a\n\nb\n--\nsignature', 'a\r\n\r\nb\n'] + made


parts = ['headers', 'footers', 'quotes']
ways = [list(way) for size in range(4) for way in itertools.combinations(parts, size)]
write('newsgroups.json', {
    'recipe': 'scikit-learn 1.9.1, sklearn.datasets._twenty_newsgroups.strip_newsgroup_*; results in the order of ways',
    'ways': ways,
    'posts': [{'text': text, 'stripped': [strip(text, way) for way in ways]} for text in posts()],
})


def letter(sender, subject, day, text, **how):
    message = EmailMessage()
    message['From'], message['To'], message['Subject'] = sender, 'a@example.org, "B, C" <bc@example.org>', subject
    message['Date'] = f'Tue, {day:02} Jan 2019 10:00:00 +0000'
    message.set_content(text, **how)
    return message


def old_letter(sender, subject, charset, text):
    message = MIMEText(text, 'plain', charset)
    message['From'], message['To'], message['Subject'] = sender, 'b@example.org', Header(subject, charset)
    message['Date'] = 'Thu, 03 Jan 2019 10:00:00 +0000'
    return message.as_bytes()


long_subject = 'Gr\xfc\xdfe aus Z\xfcrich \u2014 und noch viel mehr W\xf6rter, damit der Betreff gefaltet wird, ja \u65e5\u672c\u8a9e'
parted = letter('a@example.org', 'alternative', 2, 'plain part: \u4f60\u597d world\n', cte='base64')
parted.add_alternative('<html><body><p>html part</p></body></html>', subtype='html')
parted.add_attachment(b'\x00\x01\x02' * 100, maintype='application', subtype='octet-stream', filename='x.bin')
parted.add_attachment('attached text\n', filename='notes.txt')
letters = [
    letter('Zo\xeb Fr\xf6hlich <zoe@example.org>', long_subject, 1,
           'Liebe Anna,\nein St\xfcck K\xe4se = gut.\n\nFrom here on it is quoted.\n>From too\n> zitiert\n').as_bytes(),
    parted.as_bytes(),
    old_letter(Header('\u0418\u0432\u0430\u043d', 'koi8-r').encode() + ' <ivan@example.org>',
               '\u0422\u0435\u043c\u0430 \u043f\u0438\u0441\u044c\u043c\u0430', 'koi8-r',
               '\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440!\n'),
    old_letter('c@example.org', '\u4e3b\u9898', 'gb18030', '\u4e2d\u6587\u90ae\u4ef6\n'),
    b'From: d@example.org\r\nTo: b@example.org\r\nSubject: =?iso-8859-1?Q?a_=E9t=E9?=\r\n =?iso-8859-1?Q?_suite?= plain '
    b'=?utf-8?B?w6k=?=\r\nDate: Sat, 05 Jan 2019 10:00:00 +0000\r\nContent-Type: text/plain;\r\n\tcharset="iso-8859-1"\r\n'
    b'Content-Transfer-Encoding: quoted-printable\r\n\r\nsoft=\r\nbreak =E9 =3D and trailing=20\r\nlast line\r\n',
    b'From: e@example.org\nTo: b@example.org\nSubject: raw eight bit\nDate: Sun, 06 Jan 2019 10:00:00 +0000\n'
    b'Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9\n',
]


def read(raw):
    message = email.message_from_bytes(raw, policy=email.policy.default)
    text = message.get_body(preferencelist=('plain', 'html')).get_content().replace('\r\n', '\n').strip()
    fields = {name.lower(): str(message[name]) for name in ('From', 'To', 'Subject', 'Date')}
    return {**fields, 'text': text}


def boxed(raw, i):
    """A message in a mailbox: a line before it, From lines quoted as mboxrd has it, an empty line behind it."""
    end = b'\r\n' if b'\r\n' in raw else b'\n'
    lines = [b'>' + line if line.lstrip(b'>').startswith(b'From ') else line for line in raw.rstrip(end).split(end)]
    return end.join([b'From x@example.org Tue Jan %2d 10:00:00 2019' % (i + 1), *lines, b'', b''])


box = b''.join(boxed(raw, i) for i, raw in enumerate(letters))
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / 'box'
    path.write_bytes(box)
    assert len(mailbox.mbox(path)) == len(letters)
write('mail.json', {
    'recipe': f'Python {sys.version.split()[0]}, email.message_from_bytes with policy.default, get_body(plain, html)',
    'mailbox': base64.b64encode(box).decode(),
    'messages': [read(raw) for raw in letters],
})
