"""Asks the function of the guide, which stands in the file beside it, about each delivery on standard input."""

import json
import sys

from standardwebhooks import WebhookVerificationError

from receive import receive


def said(delivery):
    try:
        return receive(delivery["secret"], delivery["headers"], delivery["body"].encode())
    except WebhookVerificationError:
        return "refused"


print(json.dumps([said(delivery) for delivery in json.load(sys.stdin)]))
