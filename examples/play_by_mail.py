#!/usr/bin/env python3
"""Play by mail: a mail brings the news, the table and a numbered list; the reply brings a number. It keeps nothing but a key.

    export WYRMGATE_KEY=wg_key_…                     # `wyrmgate key mail --scopes create,players` prints it
    play_by_mail.py http://127.0.0.1:8080 127.0.0.1:25 games@club.example chess ada@club.example bob@club.example
    play_by_mail.py http://127.0.0.1:8080 127.0.0.1:25 games@club.example < reply

The first line begins a game. Let the mail system call the second one for each mail to `games+…@club.example`, such as with
`games: "|play_by_mail.py …"` in its aliases. Anybody can write any `From`, so a mail counts only if it replies to the address
that this program has given: it names the table, the seat and the position, and is signed for the player."""
import email
import email.policy
import hashlib
import hmac
import json
import os
import re
import secrets
import smtplib
import sys
import urllib.error
import urllib.request
from email.message import EmailMessage

SERVER, SMTP, US, *NEW = sys.argv[1:]
KEY = os.environ["WYRMGATE_KEY"]


def call(method, path, person=None, body=None, text=False):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"} | ({"Act-As": person} if person else {})
    headers["Accept"] = "text/plain" if text else "application/json"
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, data, headers, method=method)) as answer:
        return answer.read().decode() if text else json.load(answer)


def signed(table, seat, version, person):  # in lower case, because some mail systems change letters to it
    seal = hmac.new(KEY.encode(), f"{table} {seat} {version} {person}".encode(), hashlib.sha256).hexdigest()
    return f"{table}.{seat}.{version}.{seal[:24]}"


def send(person, subject, text, reply):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Reply-To"], mail["Subject"] = US, person, US.replace("@", f"+{reply}@"), subject
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    host, _, port = SMTP.partition(":")
    with smtplib.SMTP(host, int(port)) as server:
        server.send_message(mail)


def tell(table, path, people, only=None, first=""):  # one player, or all who owe a decision; all when the game is over
    now = call("GET", path, people[0])
    for seat, person in enumerate(people, 1):
        if seat == only or (only is None and (seat in now["owing"] or now["outcome"])):
            news = call("GET", f"{path}/events?after={max(0, now['version'] - 2 * len(people))}", person, text=True)
            view = call("GET", path + "/view?include=actions", person, text=True)
            view = re.sub(r"Answer with \S+", "Begin your reply with the number of one.", view)
            subject = "the game is over" if now["outcome"] else "your move" if seat in now["owing"] else "the table"
            send(person, f"{now['game']}: {subject}", f"{first}{news}\n{view}", signed(table, seat, now["version"], person))


def receive(mail):
    if mail.get("Auto-Submitted", "no") != "no":
        sys.exit("a machine wrote this")
    person = mail["From"].addresses[0].addr_spec
    address = re.search(r"\+(([0-9a-f]{16})\.(\d)\.(\d+)\.[0-9a-f]{24})@", mail["To"] or "")
    if not address or not hmac.compare_digest(signed(address[2], address[3], address[4], person), address[1]):
        sys.exit("the address is not signed for " + person)
    table, seat, version = address[2], int(address[3]), address[4]
    path = "/v1/sessions/" + call("GET", f"/v1/sessions?external_id={table}")["items"][0]["id"]
    people = call("GET", path, person)["labels"]["metadata"]["people"]
    body = mail.get_body(("plain",))
    number = re.match(r"\s*#?(\d+)", body.get_content() if body else "")  # quoted text follows
    if not number:
        return tell(table, path, people, seat, "Please begin your reply with the number of a choice.\n\n")
    try:
        receipt = call("POST", path + "/moves", person, {"id": f"{version}.{seat}.{number[1]}"})
    except urllib.error.HTTPError as problem:
        return tell(table, path, people, seat, json.load(problem)["detail"] + "\n\n")
    if not receipt["secret"]:  # otherwise nobody may know more than before
        tell(table, path, people)


if NEW:
    seats = [{"player": person, "name": person.partition("@")[0]} for person in NEW[1:]]
    labels = {"external_id": secrets.token_hex(8), "metadata": {"people": NEW[1:]}}  # only players see them
    new = {"game": NEW[0], "visibility": "private", "seats": seats, "labels": labels}
    tell(labels["external_id"], "/v1/sessions/" + call("POST", "/v1/sessions", body=new)["id"], NEW[1:])
else:
    receive(email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default))
